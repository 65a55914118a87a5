"""Chapter *throttling*: dispatch limits, their quotas, and the loop that obeys them."""
