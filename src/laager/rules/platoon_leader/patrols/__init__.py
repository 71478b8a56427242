"""Patrols: forming them, their missions, and their results (PL 2.7)."""
