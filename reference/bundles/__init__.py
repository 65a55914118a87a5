"""Chapter *bundles* (spec/bundles.md): topic names, hashes, ranges, boundaries, lookup."""
