"""What every component is made with: random choices, the JSON form, runs, search and blame."""
