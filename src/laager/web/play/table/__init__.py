"""The table: where a campaign stands, live news, taking back, the end."""
