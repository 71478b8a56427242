"""Commands that play a campaign or look at it, and the session that they work on.

A command is one function: options, what it wants of the `Session`, what it prints. A session is a campaign in a
file (here) or on a server (`laager.cli.server`).
"""
