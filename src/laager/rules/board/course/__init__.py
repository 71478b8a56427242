"""Steps around a battle that all campaigns on a board share: agreements at the start, when play ends.

What a rule system does otherwise is in its own rooms; purchases are in `buying`, reports in `report`.
"""
