"""What is proved and enumerated about ownership."""
