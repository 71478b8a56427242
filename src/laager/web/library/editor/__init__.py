"""Files edited as text and as forms."""
