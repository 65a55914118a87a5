"""What is checked about placement."""
