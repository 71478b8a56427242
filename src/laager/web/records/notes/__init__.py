"""Notes that a seat keeps for itself."""
