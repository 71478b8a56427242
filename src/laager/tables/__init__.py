"""Tables: rows and modifiers that turn a final roll into a result."""
