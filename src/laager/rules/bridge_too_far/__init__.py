"""A Bridge Too Far: its campaign games (part 9) and the Refit Phase between their scenarios."""

BASED_ON = "laager.rules.board"
"""The package whose functions carry out clauses of these rules too."""
