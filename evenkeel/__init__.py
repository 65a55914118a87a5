"""evenkeel: an executable specification of broker load balancing, and its harness."""

__version__ = "0.1.0"
