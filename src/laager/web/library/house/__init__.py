"""House rules of one's own, written in grids."""
