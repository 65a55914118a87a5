"""What is proved and enumerated about placement."""
