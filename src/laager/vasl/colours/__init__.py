"""Terrain by the colours of a board's picture, for boards whose archive has no LOS data.

`palette` says what a colour means, `reading` makes ground of pixels, `doubts` tells what a person should look at.
"""
