"""For those who run a cluster: it at one moment, and what strategies make of it."""
