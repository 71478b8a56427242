"""The steps around a scenario: its start, points, initiative, weather, play, and its end."""
