"""Files sent, checked and taken away."""
