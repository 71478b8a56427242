"""From a save to the battle report that a campaign asks for: match pieces to units, read the ground, collect doubts."""
