"""Platoon Leader 2.5."""
