"""Right balancers of unlike philosophies, for chapter contract."""
