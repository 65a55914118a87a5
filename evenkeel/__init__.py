"""evenkeel: an executable specification of broker load balancing, and its harness."""
