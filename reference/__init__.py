"""What a right balancer does: pure, typed, deterministic; the standard library only.

Read the chapters in the order of spec/: `bundles`, then `splitting`. Where the documents and
the shipped code disagree, a function takes an `Edition` (see `edition`). Calls across modules
go through the module (`ranges.parse_range`), so that a mutant can replace one function
by name and every caller meets it.
"""
