"""Units and record sheets."""
