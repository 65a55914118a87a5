"""Questions about balancing."""
