"""A person's own cards, charts, maps, boards and counters."""
