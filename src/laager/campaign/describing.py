"""What a viewer may know, as JSON for programs: the command line's, the server's.

Everything here is made of a `View`, and numbers of entries are the viewer's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from laager.campaign.clauses import RulesIndex
from laager.campaign.consent import open_request
from laager.campaign.engine import Campaign, Pending
from laager.campaign.facts import Side
from laager.campaign.log import Entry
from laager.campaign.telling import Told, number_seen, told
from laager.campaign.views import Seen, View, causes, find


@dataclass(frozen=True)
class Wish:
    """Something that one side asks of the others: to take back to an entry, to end in a draw.

    `to` is the viewer's number of the last entry that would be kept; 0 for a draw.
    """

    kind: Literal["undo", "draw"]
    by: Side
    others: tuple[Side, ...]
    to: int = 0

    @property
    def text(self) -> str:
        """The wish in words."""
        if self.kind == "undo":
            return f"{self.by} asks to take back to entry {self.to}"
        return f"{self.by} proposes a draw"


def wishes(campaign: Campaign, seen_by: View) -> Iterator[Wish]:
    """Yield what waits for the other side's consent."""
    sides = campaign.ruleset.sides
    undo = open_request(campaign, "undo")
    if undo is not None:
        by = undo.body["by"]
        others = tuple(side for side in sides if side != by)
        yield Wish("undo", by, others, number_seen(seen_by.log, undo.body["to"]))
    draw = open_request(campaign, "end")
    if draw is not None:
        by = draw.body["by"]
        yield Wish("draw", by, tuple(side for side in sides if side != by))


def pending_json(pending: Pending) -> dict[str, Any]:
    """Return what is waited for: a question, or dice to be entered. For its own side only."""
    if pending.question is not None:
        return pending.question.describe()
    assert pending.roll is not None
    roll = pending.roll
    return {
        "key": "roll",
        "side": pending.side,
        "label": roll.label,
        "dice": roll.dice.value,
        "modifiers": [
            {"value": m.value, "reason": m.reason, "rule": m.rule} for m in roll.modifiers
        ],
    }


def entry_json(one: Told, log: Sequence[Seen]) -> dict[str, Any]:
    """Return an entry of a viewer's log, in words and with its body."""
    entry = one.entry
    return {
        "number": one.number,
        "at": entry.at,
        "type": entry.type,
        "counts": one.counts,
        "text": one.text.strip(),
        "body": _body(entry, log),
    }


def _body(entry: Entry, log: Sequence[Seen]) -> dict[str, Any]:
    if entry.type in {"open", "seed"}:
        return {}
    if entry.type in {"undo", "undo-asked"}:
        # Numbers of entries are the viewer's own everywhere.
        return entry.body | {"to": number_seen(log, entry.body["to"])}
    return entry.body


def exported(campaign: Campaign, seen_by: View) -> dict[str, Any]:
    """Return all that a viewer may know."""
    return {
        "title": seen_by.title,
        "viewer": seen_by.viewer,
        "ruleset": campaign.ruleset.id,
        "commitment": campaign.opening["dice"]["commitment"],
        "state": campaign.ruleset.describe(seen_by.state),
        "log": [entry_json(one, seen_by.log) for one in told(campaign, seen_by)],
        "pending": [p.question.describe() for p in seen_by.pending if p.question],
        "waiting_for": list(seen_by.waiting_for),
    }


def explained(campaign: Campaign, seen_by: View, number: int, package: str) -> dict[str, Any]:
    """Return why an entry of a viewer's log happened: its rule, the answers and rolls behind it.

    `package` is the ruleset's, which has the index. Raises RefusedError if there is no such entry.
    """
    seen = find(seen_by, number)
    lines = told(campaign, seen_by)
    body = seen.entry.body
    rule = body.get("rule") or body.get("clause") or body.get("fact", {}).get("rule", "")
    clause = RulesIndex.load_packaged(package).get(rule)
    behind = causes(seen_by, number) if seen.entry.type == "fact" else ()
    return {
        "entry": entry_json(lines[number - 1], seen_by.log),
        "rule": clause.model_dump(mode="json") if clause else rule,
        "causes": [entry_json(lines[one.number - 1], seen_by.log) for one in behind],
    }
