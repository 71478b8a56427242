"""Requests to an engine: of the rules, of players who look at a map, for a picture of a viewshed."""
