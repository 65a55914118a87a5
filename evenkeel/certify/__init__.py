"""A certificate that a balancer comes to rest from every situation of a small cluster."""
