"""What the balancer does, as functions. It needs the standard library alone."""
