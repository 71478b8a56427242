"""Maps written as VASL boards: the grid in pixels, the ground of every pixel, the archive, what VASL can't express.

`make_board_archive` gives the archive of a map, `find_losses` what reading it back lacks.
"""
