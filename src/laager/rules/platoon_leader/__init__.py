"""Platoon Leader 2.5."""

BASED_ON = "laager.rules.board"
"""The package whose functions carry out clauses of these rules too."""
