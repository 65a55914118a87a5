"""What is checked about ownership."""
