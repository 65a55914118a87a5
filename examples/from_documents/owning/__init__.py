"""Written from the documents and wire pages alone: ownership, bundles, splitting, throttling."""
