"""Chapter *bundles* (spec/bundles.md): its theorems."""
