"""What is proved of any balancer: moves that help end."""
