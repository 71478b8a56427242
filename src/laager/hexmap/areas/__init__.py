"""Areas of a map: Blocks, Setup and Entry Areas (ABtF); Bombardment and Blast Areas (ER)."""
