"""What the engine needs to know of this specification, and what stands in no room of it."""

VERSION = "0.1"
