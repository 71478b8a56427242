"""VASL's files: board archives read into maps, saves into pieces. No Java, no VASSAL.

Every file is taken for hostile until it has proved otherwise: sizes, counts and numbers are held
against limits before anything is unfolded, and whatever will not do is refused in a sentence.
All values are immutable.
"""
