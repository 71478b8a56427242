"""What the rooms share: the base page, forms, words, limits, events, work in processes."""
