"""Chapter *bundles*: topic names and hashes, ranges, division, lookup."""
