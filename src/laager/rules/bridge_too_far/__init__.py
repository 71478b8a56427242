"""A Bridge Too Far: its campaign games (part 9) and the Refit Phase between their scenarios."""
