"""Map files: their model, boards joined into one grid, names looked up, every problem with its line."""
