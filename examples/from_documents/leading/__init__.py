"""Written from the documents and the wire pages alone: shedding, placement, load, and the loop."""
