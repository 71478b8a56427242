"""Numbers of things in words: one place that knows the plural."""

from __future__ import annotations


def plural(number: object, one: str, many: str = "") -> str:
    """Return what a number of things is called: `leader` for 1, else `leaders` or `many`."""
    return one if number == 1 else many or f"{one}s"


def some(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words: `1 leader`, `2 leaders`."""
    return f"{number} {plural(number, one, many)}"
