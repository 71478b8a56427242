"""The map and its hexes."""
