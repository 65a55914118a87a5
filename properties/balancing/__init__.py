"""What is checked about balancing."""
