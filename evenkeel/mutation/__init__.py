"""Mutants of the reference: those written by hand, and those that operators make of its source.

`catalogue.MUTANTS` has the first, `properties/<chapter>/mutants.toml` what they change (`patches`).
`sites.all_sites()` lists every place that an operator can change, `drawn.drawn(seed, count)` draws
some of them, `drawn.named(name)` makes one again from its name. `Mutant.applied()` puts either
sort in force (`live`).
"""
