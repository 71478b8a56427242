"""Firefight setup: the plan, its checks, and a legal proposal (PL 2.6)."""
