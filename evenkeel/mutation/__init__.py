"""Mutants that nobody chose: operators over the source of reference/, drawn by seed.

`sites.all_sites()` lists every place that an operator can change, `drawn.drawn(seed, count)` draws
some of them, `drawn.named(name)` makes one again from its name, and `live` puts it in force.
"""
