"""Go and play: what a side needs while the battle is fought, the tick list, VASL."""
