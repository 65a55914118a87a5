"""What happened in a running cluster on one time line, and what the specification says of it."""
