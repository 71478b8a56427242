"""Dice: DR and dr, where their faces come from, and their exact odds."""
