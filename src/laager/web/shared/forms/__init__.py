"""Forms: one description of a field, its drawing and its reading back.

A value becomes the fields of a web form and they become a value again. Nothing here knows what is asked or which
file is edited.
"""
