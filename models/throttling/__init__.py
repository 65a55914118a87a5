"""Chapter *throttling*: theorems and graphs."""
