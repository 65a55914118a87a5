"""What `evenkeel adapter new` writes: a small adapter, and the protocol done, in five languages."""
