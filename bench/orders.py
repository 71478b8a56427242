"""The check of an order of battle of 3,000 points with something of everything in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from laager.rules.design_your_own.check.check import ObVerdict, check_file
from laager.rules.design_your_own.files import LoadedOb, load_ob

FILE = Path(__file__).parents[1] / "tests" / "design_your_own" / "data" / "kampfgruppe.yaml"


@cache
def _loaded() -> LoadedOb:
    return load_ob(FILE)


def checked() -> ObVerdict:
    """Check it."""
    return check_file(_loaded())


def read() -> LoadedOb:
    """Read it and its terms, without the check."""
    return load_ob(FILE)
