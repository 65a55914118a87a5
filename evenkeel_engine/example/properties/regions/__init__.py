"""Chapter *regions*."""
