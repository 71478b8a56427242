"""Edson's Ridge: the campaign of Ridge and jungle on Guadalcanal, September 1942."""
