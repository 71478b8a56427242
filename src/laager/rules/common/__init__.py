"""What the rule systems share: units, fortifications, the board, and what happens to them."""
