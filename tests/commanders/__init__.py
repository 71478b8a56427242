"""Commanders: what they know, how they answer, and how well they play."""
