"""Edson's Ridge, September 1942: the campaign between the U.S. and the Japanese on Guadalcanal.

Its rules reached us in part only. What is in the text we have is carried out; the rest is asked
of the players, and computed once the owner of the module has filled in the card's charts.
"""

BASED_ON = "laager.rules.board"
"""The package whose functions carry out clauses of these rules too."""
