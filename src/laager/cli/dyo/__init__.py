"""The commands of `laager dyo`: agree on terms, buy, look at Rosters, check any order of battle.

The rules of a purchase are in `laager.rules.design_your_own`; here are only options and printing.
"""
