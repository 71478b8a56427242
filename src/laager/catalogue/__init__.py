"""What exists: nations, unit types and how they change, weapons, guns, vehicles."""
