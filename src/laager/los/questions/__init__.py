"""What is asked of an engine: by the rules, by players who look at a map, for a picture of what is seen."""
