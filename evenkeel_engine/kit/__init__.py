"""What all components share: random choices, the JSON form, runs, search and blame."""
