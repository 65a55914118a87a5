"""What checks, whatever is specified: draws, judges, subjects, cases, campaigns, command line."""
