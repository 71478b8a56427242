"""Heads against tails: a ruleset for Laager."""
