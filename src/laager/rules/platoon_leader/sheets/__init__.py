"""Record sheets, the map drawing and the JSON of a Platoon Leader campaign."""
