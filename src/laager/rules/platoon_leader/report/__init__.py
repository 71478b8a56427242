"""The battle report: its form, its checks, and what follows (PL 2.9)."""
