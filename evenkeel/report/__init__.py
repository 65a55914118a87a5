"""What Pulsar's maintainers can take home of a counterexample: a test, an issue's text."""
