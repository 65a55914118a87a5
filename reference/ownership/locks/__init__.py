"""The lock protocol: brokers that own bundles by ephemeral nodes of a store."""
