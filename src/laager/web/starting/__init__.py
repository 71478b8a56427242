"""My campaigns, and how a new one begins."""
