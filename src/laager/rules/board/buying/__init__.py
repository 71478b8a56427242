"""Purchases: groups, leaders and weapons that come with them, fortifications."""
