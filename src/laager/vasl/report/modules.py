"""OBA modules: a label that Laager wrote tells what became of one, as its players changed it; else it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.campaign import Question
from laager.rules.board.context import CardContext
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.report.form import modules_left
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.context import Cg as PlatoonLeader
from laager.vasl.report.places import Scene
from laager.vasl.saves.game import plain_text


@dataclass(frozen=True)
class _Use:
    """A use of a module: in words of the report, on its label, and as the fields of its row."""

    words: str
    on_label: str
    row: Mapping[str, bool]


_USED: Mapping[str, _Use] = {
    "no": _Use("no FFE was placed", "unused", {"used": False}),
    "used": _Use("an FFE was placed", "used", {"used": True}),
}
_IN_PLAY: Mapping[str, _Use] = {
    "no": _Use("its radio, phone or observer was not in play", "not in play", {}),
    "in-play": _Use("in play, no FFE:1 was placed", "in play", {"in_play": True}),
    "placed": _Use("in play, an FFE:1 was placed", "placed", {"in_play": True, "placed": True}),
    "exhausted": _Use(
        "in play, an FFE:1 was placed, exhausted",
        "placed, exhausted",
        {"in_play": True, "placed": True, "exhausted": True},
    ),
    "exhausted-unplaced": _Use(
        "in play, no FFE:1 was placed, exhausted", "exhausted", {"in_play": True, "exhausted": True}
    ),
}
"""Possible uses of an OBA module, by rule system."""


def label_texts(cg: CardContext, side: str) -> dict[str, str]:
    """Return the labels of a side's OBA modules by their ids: the module, its access and ammunition, its use.

    Players replace the use by one of those in parentheses, or two of them.
    """
    if isinstance(cg, PlatoonLeader):
        known = {group.id: (group.equipment, group.ammunition) for group in modules(cg, side)}
        uses: Sequence[_Use] = tuple(_USED.values())
    elif isinstance(cg, Hasl):
        known = {group.id: (group.name, group.equipment) for group in modules_left(cg, side)}
        uses = tuple(_IN_PLAY.values())
    else:
        return {}
    others = ", ".join(use.on_label for use in uses[1:] if "," not in use.on_label)
    return {
        name: f"OBA {' '.join(filter(None, (name, *about)))}: {uses[0].on_label} (or: {others})"
        for name, about in known.items()
    }


def artillery_rows(scene: Scene, question: Question) -> dict[str, Any]:
    """Return the rows of a report about OBA modules, by its parts; each without a label of Laager's is asked."""
    labels = {
        group: plain_text(label.text)
        for piece in scene.pieces
        if (group := scene.marked.modules.get(piece.id)) is not None
        for label in piece.labels
        if label.text.strip()
    }
    rows: dict[str, Any] = {}
    for part, uses in (("oba", _USED), ("modules", _IN_PLAY)):
        if not scene.has(part):
            continue
        rows[part] = [
            {"group": row["group"], **uses[_find_use(scene, row["group"], uses, labels)].row}
            for row in (question.default or {}).get(part, ())
        ]
    return rows


def _find_use(scene: Scene, group: str, uses: Mapping[str, _Use], labels: Mapping[str, str]) -> str:
    """Return the key of a module's use: by its label, else as chosen or proposed."""
    key, label = f"oba:{group}", labels.get(group, "")
    on_label = next((word for word, use in uses.items() if use.on_label == _read(label)), None)
    if on_label is not None and key not in scene.findings.choices:
        scene.findings.sure(key, group, f"{uses[on_label].words}, by its label", taken=on_label)
        return on_label
    why = f"its label says {label[:60]!r}" if label else "no save tells what became of an OBA module"
    options = {word: use.words for word, use in uses.items()}
    return scene.findings.ask(key, group, why, options, on_label or "no")


def _read(label: str) -> str:
    """Return the use that a label tells: what stands behind its colon, without what is in parentheses."""
    words = " ".join(label.partition("(")[0].rpartition(":")[2].casefold().split())
    return words.replace(" and ", ", ")
