"""Chapter *splitting* (spec/splitting.md): its theorems and state graphs."""
