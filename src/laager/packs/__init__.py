"""Data that ships with Laager."""
