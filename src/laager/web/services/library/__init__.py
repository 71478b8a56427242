"""A person's own files: cards, charts, tables, maps and VASL boards; checking and editing them."""
