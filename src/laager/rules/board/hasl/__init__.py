"""The HASL layer: campaigns of CG Dates, chits, RG charts, Setup Areas and a Refit Phase.

It is a ruleset of its own (`hasl`) for campaigns described by data alone. `variant.py` holds the
hooks that a module overrides.
"""

BASED_ON = "laager.rules.board"
"""The package whose functions carry out clauses of these rules too."""
