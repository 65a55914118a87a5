"""Chapter *scaling* (spec/scaling.md): its theorems."""
