"""From boards to a map file, and changes to a map file by hand: cells, contents, courses, text.

Reading a board is in `boards`; the map itself is `laager.hexmap`.
"""
