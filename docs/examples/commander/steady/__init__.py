"""A commander of one's own."""
