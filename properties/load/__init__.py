"""What is checked about load."""
