"""OBA modules: no save shows their use, so each is a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.campaign import Question
from laager.vasl.report.places import Scene

_USED: Mapping[str, tuple[str, dict[str, bool]]] = {
    "no": ("no FFE was placed", {"used": False}),
    "used": ("an FFE was placed", {"used": True}),
}
_IN_PLAY: Mapping[str, tuple[str, dict[str, bool]]] = {
    "no": ("its radio, phone or observer was not in play", {}),
    "in-play": ("in play, no FFE:1 was placed", {"in_play": True}),
    "placed": ("in play, an FFE:1 was placed", {"in_play": True, "placed": True}),
    "exhausted": ("in play, an FFE:1 was placed, exhausted", {"in_play": True, "placed": True, "exhausted": True}),
    "exhausted-unplaced": ("in play, no FFE:1 was placed, exhausted", {"in_play": True, "exhausted": True}),
}
"""Possible uses of an OBA module, by rule system: the words, and the row's fields."""


def artillery_rows(scene: Scene, question: Question) -> dict[str, Any]:
    """Return the rows of a report about OBA modules, by its parts; each is asked."""
    rows: dict[str, Any] = {}
    for part, uses in (("oba", _USED), ("modules", _IN_PLAY)):
        if not scene.has(part):
            continue
        rows[part] = []
        options = {word: label for word, (label, _) in uses.items()}
        for row in (question.default or {}).get(part, ()):
            why = "no save tells what became of an OBA module"
            use = scene.findings.ask(f"oba:{row['group']}", row["group"], why, options, "no")
            rows[part].append({"group": row["group"], **uses[use][1]})
    return rows
