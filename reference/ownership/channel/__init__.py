"""The channel of records: brokers that own bundles by what was written last."""
