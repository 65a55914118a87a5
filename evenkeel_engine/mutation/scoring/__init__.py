"""Mutation scores: which mutants of the reference trials, cases, theorems and graphs detect."""
