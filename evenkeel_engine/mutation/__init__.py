"""Mutants of the reference: handwritten ones, and those that operators make of its source.

`catalogue.MUTANTS` has the first, `properties/<chapter>/mutants.toml` what they change (`patches`).
`sites.all_sites()` lists every place that an operator can change, `sampled.sampled(seed, count)`
samples some of them, `sampled.named(name)` rebuilds one from its name. `Mutant.applied()` applies
either sort (`code_swap`).
"""
