"""A campaign on the server: stored, opened, changed, seen from a seat, and who hears of it."""
