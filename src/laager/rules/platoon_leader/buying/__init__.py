"""Purchases in secret: groups, OBA, leaders, fortifications (PL 2.3)."""
