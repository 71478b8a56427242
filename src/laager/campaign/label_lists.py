"""Lists of units as people say them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LABEL = re.compile(r"(.+) \((\w+)\)")
_LETTERED = re.compile(r'(?P<type>.+) "(?P<letter>[^"]+)"(?P<rest>.*)')
_ARTICLE = re.compile(r"an? (?=\S)")


def list_labels(labels: Iterable[str]) -> str:
    """Return labels of units as people list them: `2 x 4-6-7 (AX1, AX2), LMG (AX4)`, `4-4-7 "A", "B" of I1/1`."""
    labels = list(labels)
    if any(_LETTERED.fullmatch(label) for label in labels):
        return _list_lettered(labels)
    ids: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for label in labels:
        match = _LABEL.fullmatch(label)
        name = match[1] if match else label
        counts[name] = counts.get(name, 0) + 1
        ids.setdefault(name, []).extend([match[2]] if match else [])
    parts = (
        (f"{count} x {_ARTICLE.sub('', name, 1) if _ARTICLE.match(name) else name}" if count > 1 else name)
        + (f" ({', '.join(ids[name])})" if ids[name] else "")
        for name, count in counts.items()
    )
    return ", ".join(parts)


def _list_lettered(labels: Iterable[str]) -> str:
    letters: dict[tuple[str, str], list[str]] = {}
    for label in labels:
        match = _LETTERED.fullmatch(label)
        key = (match["type"], match["rest"]) if match else (label, "")
        letters.setdefault(key, []).extend([f'"{match["letter"]}"'] if match else [])
    return ", ".join(f"{head} {', '.join(own)}{rest}" if own else head for (head, rest), own in letters.items())
