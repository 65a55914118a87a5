"""A Pulsar cluster on this machine's loopback, of which nothing is left afterwards."""
