"""Charts as grids of cells that look like the printed ones: read, written, and as CSV."""
