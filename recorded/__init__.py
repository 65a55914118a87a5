"""What Apache Pulsar's own classes answered, a file for each question, by chapter."""
