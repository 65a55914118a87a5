"""evenkeel: an executable specification of broker load balancing, and its harness."""

__version__ = "1.0.0"
