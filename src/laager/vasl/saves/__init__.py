"""Saves: decoding, pieces with their traits, stacks, where pieces lie; labels written into a save.

User ids are passwords: `owners` holds them, and nothing else does. What a save means for a campaign is in `report`.
"""
