"""What a scenario changes on a board before a map is made of it: rules and overlays, pixel by pixel."""
