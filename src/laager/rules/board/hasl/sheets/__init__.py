"""Record sheets, the map drawing and the JSON of a HASL campaign."""
