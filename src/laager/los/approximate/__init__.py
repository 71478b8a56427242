"""LOS from the hexes of a map, where no board's pixels are at hand."""
