"""Pages of a person's own files: the library, its editors, the map editor."""
