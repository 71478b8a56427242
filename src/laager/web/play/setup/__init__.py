"""A setup made on the map."""
