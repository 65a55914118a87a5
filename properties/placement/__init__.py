"""Chapter *placement*: strategies, candidates, preallocation, policies."""
