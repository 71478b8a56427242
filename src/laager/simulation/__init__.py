"""Whole campaigns played by the thousand: by commanders, with a stated model of battles, in memory.

`plan` says what is played, `play` plays one campaign, `run` many, `tally` adds up what came out. `battles` is
the model: what becomes of units and ground when nobody plays the battle at the table.
"""
