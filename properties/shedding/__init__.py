"""What is checked about shedding."""
