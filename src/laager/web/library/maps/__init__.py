"""The map editor, and maps from VASL boards."""
