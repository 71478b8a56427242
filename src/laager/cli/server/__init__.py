"""Playing on a server: calls of its API, tokens, and the session made of them. `laager serve` is here too.

The server itself is `laager.web`, which nothing here imports.
"""
