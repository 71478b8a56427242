"""Purchases in all campaigns on a board: groups from a chart, fortifications.

A rule system fills in hooks; what only it has (leaders, OBA, strength, its prices) is in its own room `buying`.
"""
