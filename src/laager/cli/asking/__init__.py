"""Asking a person: at a terminal by menus, in a pipe line by line, long answers at a desk or in an editor.

What is asked is a `Question` or a roll. Nothing here knows a campaign, a file or a server.
"""
