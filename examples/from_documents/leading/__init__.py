"""Written from the documents and the wire alone: shedding, placement, load, and the loop."""
