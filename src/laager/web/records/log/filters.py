"""What the diary can be narrowed to: kinds of entries, words, what came after an entry."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.log import FACTS
from laager.campaign.telling import Told
from laager.web.campaigns.tables import units_of

if TYPE_CHECKING:
    from laager.campaign.log import Entry
    from laager.web.campaigns.tables import Table


@dataclass(frozen=True)
class Filter:
    """What is looked for in a log: a kind of entries, words, what came after an entry."""

    kind: str = ""
    text: str = ""
    since: int = 0

    @property
    def on(self) -> bool:
        """True if anything is left out."""
        return bool(self.kind or self.text or self.since)


KINDS = ("rolls", "answers", "purchases", "units", "rulings", "undone")
"""What the diary can be narrowed to."""

BOUGHT = re.compile("(-bought|-settled|group-joined|fort-joined)$")
"""Kinds of facts that are purchases at whatever step they come."""


TOLD = frozenset({"fact", "ruled", "answer", "roll"})


def chooser(table: Table, wanted: Filter) -> Callable[[Told], bool]:
    """Return a filter for entries."""
    if wanted.kind and wanted.kind not in KINDS:
        advice = did_you_mean(wanted.kind, KINDS)
        raise RefusedError(Refusal.NO_SUCH, f"the log has no kind {wanted.kind!r}", advice)
    is_kind = _kind(table, wanted.kind)
    words = wanted.text.casefold().split()

    def choose(line: Told) -> bool:
        if line.number <= wanted.since or not is_kind(line):
            return False
        if not words:
            return True
        text = _searchable_text(line)
        return all(word in text for word in words)

    return choose


def _searchable_text(line: Told) -> str:
    text = f"{line.text} {rule_of(line.entry)}"
    if line.entry.type == "answer":
        text += json.dumps(line.entry.body["value"], ensure_ascii=False)
    return text.casefold()


def _kind(table: Table, kind: str) -> Callable[[Told], bool]:
    match kind:
        case "rolls":
            return lambda line: line.entry.type == "roll"
        case "answers":
            return lambda line: line.entry.type == "answer"
        case "units":
            return lambda line: line.entry.type in FACTS and bool(units_of(line.entry))
        case "rulings":
            return lambda line: line.entry.type.startswith(("rul", "reopened"))
        case "undone":
            return lambda line: not line.counts or line.entry.type.startswith(("undo", "redo"))
        case "purchases":
            inside = _bought_in(table)
            return lambda line: line.number in inside
        case _:
            return lambda line: True


def _bought_in(table: Table) -> frozenset[int]:
    """Return the entries that are part of purchases."""
    inside, buying = set(), False
    for line in table.log:
        entry = line.entry
        if entry.type == "step":
            buying = table.ruleset.moment(entry.body["step"]) == "purchase"
        elif entry.type in TOLD and (buying or BOUGHT.search(entry.body.get("kind", ""))):
            inside.add(line.number)
    return frozenset(inside)


def rule_of(entry: Entry) -> str:
    """Return the clause by which an entry came about; "" if it names none."""
    body = entry.body
    clause = body.get("rule") or body.get("clause") or body.get("fact", {}).get("rule")
    return str(clause or "")
