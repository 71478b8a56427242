"""Laager: the campaign referee for squad-level hex wargames."""

__version__ = "0.1.0"
