"""What the owner of a server, its host, sees of the whole server, and looks after."""
