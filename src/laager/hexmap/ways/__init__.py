"""Ways and distances over the map: cheapest paths, what is Enterable, ranges to areas, Jungle Paths."""
