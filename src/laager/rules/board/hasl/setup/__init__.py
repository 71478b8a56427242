"""Setup of a scenario: the plan, its checks, and a legal proposal."""
