"""A battle report made on the map, or from a VASL save."""
