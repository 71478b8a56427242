"""English for everybody: the month as a word, so that it can't be mistaken for a day."""
