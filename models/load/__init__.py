"""What is proved and enumerated about load."""
