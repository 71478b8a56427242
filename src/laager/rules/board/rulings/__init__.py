"""Rulings: what the table decides otherwise than the record has it, as facts that put the record right."""
