"""Answers for an evening in the parlour, as files."""

from __future__ import annotations

RED_WORD, BLUE_WORD = "SECRET-OF-RED", "SECRET-OF-BLUE"


def plan(side: str, word: str, at: str, bid: int = 4, face: int = 5) -> str:
    """Return an answers file with a side's plan: its secret word, and where a unit goes."""
    return f"""laager: answers/1
answers:
  - side: {side}
    for: plan
    answer:
      word: {word}
      bid: {bid}
      tactic: attack
      orders:
        - {{unit: {side[0].upper()}1, at: {at}, count: 3}}
  - {{side: {side}, rolls: [[{face}]]}}
"""


RED_PLAN = plan("red", RED_WORD, "B2")
BLUE_PLAN = plan("blue", BLUE_WORD, "G5")

THE_REST = """laager: answers/1
answers:
  - {side: red, for: rain, answer: yes}
  - {side: red, rolls: [[2, 6]]}
  - {side: red, for: stake, answer: 17}
  - {side: blue, for: stake, answer: 71}
"""
"""After both plans: weather and stakes; then the battle is to be reported."""
