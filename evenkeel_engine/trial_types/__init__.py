"""What is known of trial types: schemas, wire pages, bounds, defaults, and what generators meet."""
