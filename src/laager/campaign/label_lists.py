"""Labels of units in texts: put where a number stands alone, and listed as people list them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

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


def add_label(text: str, name: str, label: str) -> str:
    """Return a text with a label for the ID where it first stands as a word of its own, not in brackets."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) :][:1]
        if not (
            before == "("
            or after == ")"
            or any(character.isalnum() or character == "_" for character in before + after)
        ):
            return f"{text[:at]}{label}{text[at + len(name) :]}"
        at = text.find(name, at + 1)
    return text


_HOLDER = re.compile(r"(?<= )(?P<before>with|by|von) (?P<id>\w+)(?!\w)")
"""Of whom a text tells by its number only, in both languages: `went with AX5`, `possessed by AL1`."""


def label_holder(text: str, states: Sequence[Any]) -> str:
    """Return a text with the label for the number of a unit that has or took another one along."""

    def put_label(match: re.Match[str]) -> str:
        held = next(
            (unit for state in states if (unit := getattr(state, "units", {}).get(match["id"])) is not None), None
        )
        return match[0] if held is None else f"{match['before']} {getattr(held, 'label', match['id'])}"

    return _HOLDER.sub(put_label, text)
