"""What the rules of Edson's Ridge print of charts, so that nobody has to fill it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

KNOWN: Mapping[str, Sequence[str]] = {
    "fortifications": ("The prices of ER 1.520 are in the rules; leave this empty to use them.",),
    "scenario-types": ("The matrix of ER 1.5222 is in the rules; leave this empty to use it.",),
    "rg": ("On map +1 CPP, in Reserve -1 (ER CG7): cost is that of a group that enters.",),
    "strength": ("The table of ER 1.5191 is in the rules, and is used unless one stands here.",),
    "leaders": (
        "The table of ER 1.5193 is in the rules, and is used unless one stands here; "
        "its columns are american, american-armor and japanese.",
    ),
}
"""Sentences by chart, for whoever fills the charts in."""
