"""The steps around a firefight: the start, weather, determination, play, and who won."""
