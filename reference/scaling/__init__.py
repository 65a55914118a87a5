"""Chapter *scaling* (spec/scaling.md): how many segments a scalable topic has."""
