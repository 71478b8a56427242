"""Edson's Ridge, September 1942: the campaign between the U.S. and the Japanese on Guadalcanal.

We have only part of its rules. Laager carries out what is in that text and asks the players for the
rest, until the owner of the module has filled in the card's charts.
"""

BASED_ON = "laager.rules.board"
"""The package whose functions carry out clauses of these rules too."""
