"""Charts filled in as grids."""
