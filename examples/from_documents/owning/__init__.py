"""Written from the documents and the wire alone: ownership, bundles, splitting, throttling."""
