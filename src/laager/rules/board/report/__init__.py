"""Battle reports: what became of each unit of a side, checked and applied.

The rule systems share the units' part; each adds its own about the ground, artillery and points.
"""

REPORT_KEYS = ("battle-report", "scenario-report", "ground-report")
"""The questions that a battle report answers, as the rule systems call them."""
