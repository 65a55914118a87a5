"""Judges as programs: they follow trial and observation together.

`near`: numbers known up to a tolerance. `tolerance`: which tolerance, by edition and dimension.
`run`: decisions, choices and requirements of one run. `search`: is there a run that explains the
observation, and which clauses are to blame if there is none. `judge`: how a judge is registered.
"""
