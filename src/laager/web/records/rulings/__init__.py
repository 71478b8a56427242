"""Rulings: the editor on the map and beside the record sheets, its draft, what is asked for."""
