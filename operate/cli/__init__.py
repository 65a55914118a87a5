"""The commands of the operator's tools, and what only they share."""
