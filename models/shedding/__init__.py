"""What is proved and enumerated about shedding."""
