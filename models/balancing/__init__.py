"""What is proved and enumerated about balancing."""
