"""Patrols: forming them, their missions, and what comes of them (PL 2.7)."""
