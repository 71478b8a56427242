"""The `laager` command."""
