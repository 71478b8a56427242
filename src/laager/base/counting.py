"""Numbers of things in words: one place that knows the plural."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def plural(number: object, singular: str, many: str = "") -> str:
    """Return what a number of things is called: `leader` for 1, else `leaders` or `many`."""
    return singular if number == 1 else many or f"{singular}s"


def count_of(number: int, singular: str, many: str = "") -> str:
    """Return a number of things in words: `1 leader`, `2 leaders`."""
    return f"{number} {plural(number, singular, many)}"


def list_counts(counts: Mapping[str, int] | Iterable[tuple[str, int]]) -> str:
    """Return units as people list them: `3 x 4-6-7, LMG`."""
    pairs = counts.items() if isinstance(counts, Mapping) else counts
    return ", ".join(f"{n} x {name}" if n > 1 else name for name, n in pairs)
