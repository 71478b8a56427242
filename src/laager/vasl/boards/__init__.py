"""Boards: archives read into hexes with terrain, how boards lie next to each other, their pictures.

What becomes of several boards as one map is in `maps`; what a scenario changes on a board is in `scenario`.
"""
