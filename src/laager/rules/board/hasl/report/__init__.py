"""The report on a scenario: its form, its checks, and what follows."""
