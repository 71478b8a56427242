"""What pages and the API have in common; nothing here knows of requests or templates."""
