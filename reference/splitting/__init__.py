"""Chapter *splitting* (spec/splitting.md): where bundles are cut, when, and what a cut changes."""
