"""Campaigns on a board: what all of them share, from the card to the battle report.

Rule systems build on it and override what is theirs. What only campaigns with CG Dates, chits and
Setup Areas have belongs in `hasl`; what only one system has belongs in its own package.
"""
