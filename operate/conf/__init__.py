"""What a broker.conf breaks in a release of Pulsar, and what an upgrade changes."""
