"""The campaign card: its parts, the files it names, and the checks that every card gets."""
