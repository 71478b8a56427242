"""What a viewer may know, as JSON for the command line and the server.

Everything here comes from a `View`, and entries have the viewer's own numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, Literal

from laager.campaign import rulings
from laager.campaign.clauses import RulesIndex
from laager.campaign.consent import open_request
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.house.in_campaign import campaign_house_lines
from laager.campaign.log import Entry
from laager.campaign.patience import PATIENCE, Patience
from laager.campaign.patience_words import terms_in_words
from laager.campaign.pending import Pending
from laager.campaign.ruling_words import ruling_changes, secrets_in_words
from laager.campaign.sentences import names_of, side_name
from laager.campaign.settling import agreed_sides
from laager.campaign.speech import ENGLISH
from laager.campaign.telling import Told, log_in_words, number_seen
from laager.campaign.views import Seen, View, causes, find

LONGEST_FIRST = 100
"""The longest quotation of a log line in a request, in characters."""


@dataclass(frozen=True)
class Wish:
    """Something that one side asks of the others: to take or bring back, to end in a draw.

    All is told as the viewer sees it: `request` is the number of the request, `to` of the last
    entry that would be kept, `first` what would go (or come back) first, `entries` how many lines
    of the viewer's log in all, `rolls` how many of them are rolls, and `lost` how many lines since
    then would be given up for what is brought back.
    """

    kind: Literal["undo", "redo", "draw", "ruling", "settle", "patience"]
    by: Side
    others: tuple[Side, ...]
    request: int
    to: int = 0
    first: str = ""
    entries: int = 0
    rolls: int = 0
    lost: int = 0
    why: str = ""
    changes: tuple[str, ...] = ()
    secret: str = ""

    @property
    def text(self) -> str:
        """The wish in words."""
        if self.kind == "draw":
            return f"{side_name(self.by)} proposes a draw"
        if self.kind == "patience":
            return f"{side_name(self.by)} asks for other terms: {'; '.join(self.changes)}"
        if self.kind == "settle":
            return f"{side_name(self.by)} asks to have this battle settled by the model"
        if self.kind == "ruling":
            return "; ".join(
                (f"{side_name(self.by)} asks for a ruling: “{self.why}”", *self.changes, *filter(None, (self.secret,)))
            )
        if self.kind == "undo":
            wish = f"{side_name(self.by)} asks to take back to entry {self.to}"
            if not self.entries:
                return f"{wish}: nothing that you can see would go"
            anew = f"; {_many(self.rolls, 'roll')} would be made anew" if self.rolls else ""
            return f"{wish}: {_many(self.entries, 'entry')} would go, from “{self.first}” on{anew}"
        wish = f"{side_name(self.by)} asks to bring back what was taken back"
        back = f"{_many(self.entries, 'entry')}, from “{self.first}” on" if self.entries else ""
        lost = f"{_many(self.lost, 'entry')} since would go" if self.lost else ""
        said = "; ".join(filter(None, (back, lost)))
        return f"{wish}: {said or 'nothing that you can see would change'}"


def _many(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"1 {noun}" if number == 1 else f"{number} {plural}"


def wishes(campaign: Campaign, seen_by: View, language: str = ENGLISH) -> Iterator[Wish]:
    """Yield what waits for the other side's consent, as the viewer sees it."""
    for kind in ("undo", "redo", "end"):
        request = open_request(campaign, kind)
        if request is None:
            continue
        by = request.body["by"]
        others = tuple(side for side in campaign.ruleset.sides if side != by)
        number = number_seen(seen_by.log, request.number)
        history = campaign.history
        if kind == "end":
            yield Wish("draw", by, others, number)
        elif kind == "undo":
            to = request.body["to"]
            gone = _lines(campaign, seen_by, history.going(to, request.body.get("lane", "")))
            to = number_seen(seen_by.log, to)
            yield Wish("undo", by, others, number, to, _first(gone), len(gone), _rolls(gone))
        else:
            back = _lines(campaign, seen_by, history.set_aside[-1].entries)
            lost = _lines(campaign, seen_by, history.dropped_by_redo())
            to = back[0].number - 1 if back else 0
            counts = len(back), _rolls(back), len(lost)
            yield Wish("redo", by, others, number, to, _first(back), *counts)
    yield from _ruling_wish(campaign, seen_by, language)
    yield from _settle_wish(campaign, seen_by)
    yield from _patience_wish(campaign, seen_by, language)


def _patience_wish(campaign: Campaign, seen_by: View, language: str) -> Iterator[Wish]:
    """Yield the terms about time that wait for the other side's consent."""
    request = open_request(campaign, PATIENCE)
    if request is not None:
        by = request.body["by"]
        others = tuple(side for side in campaign.ruleset.sides if side != by)
        words = terms_in_words(Patience(request.body["days"], request.body["then"]), language)
        yield Wish("patience", by, others, number_seen(seen_by.log, request.number), changes=(words,))


def _settle_wish(campaign: Campaign, seen_by: View) -> Iterator[Wish]:
    """Yield that one side would let the battle be settled, until the other agrees."""
    asked = agreed_sides(campaign)
    others = tuple(side for side in campaign.ruleset.sides if side not in asked)
    if asked and others:
        request = next(entry for entry in reversed(campaign.entries) if entry.type == "settle-asked")
        yield Wish("settle", request.body["by"], others, number_seen(seen_by.log, request.number))


def _ruling_wish(campaign: Campaign, seen_by: View, language: str) -> Iterator[Wish]:
    """Yield the ruling that waits for consent, in the viewer's language."""
    asked = rulings.open_ruling(campaign, seen_by.viewer)
    if asked is not None:
        names = names_of(campaign, language)
        changes = ruling_changes(asked.facts, asked.reopens, names, language)
        secret = secrets_in_words(asked.secret, names, language)
        yield Wish("ruling", asked.by, asked.waiting_for, asked.number, why=asked.why, changes=changes, secret=secret)


@dataclass(frozen=True)
class Refused:
    """What a side asked of the other, and that it was refused; `number` is the viewer's."""

    kind: Literal["undo", "redo", "draw", "ruling", "settle", "patience"]
    by: Side
    number: int

    @property
    def text(self) -> str:
        """The refusal in words."""
        wish = {
            **{"undo": "to take back", "redo": "to bring back", "draw": "the draw", "ruling": "the ruling"},
            "settle": "to settle the battle",
            "patience": "other terms about time",
        }[self.kind]
        return f"{side_name(self.by)} refused {wish}"


@dataclass(frozen=True)
class Agreement:
    """What a side asked of the other, and that it agreed; `number` is the viewer's."""

    kind: Literal["undo", "redo"]
    by: Side
    number: int


def refusals(seen_by: View) -> tuple[Refused, ...]:
    """Return what was refused to the viewer since it last answered or asked for anything."""
    refused = []
    for i, seen in _since_own_act(seen_by):
        request, _, end = seen.entry.type.partition("-")
        by = seen.entry.body.get("by", "")
        if end == "refused" and _asker(seen_by.log[:i], request) == seen_by.viewer != by:
            kind: Any = "draw" if request == "end" else request
            refused.append(Refused(kind, by, seen.number))
    return tuple(refused)


def agreements(seen_by: View) -> tuple[Agreement, ...]:
    """Return what the viewer has asked to take back or to bring back, and the other side has agreed to since."""
    return tuple(
        Agreement("undo" if seen.entry.type == "undo" else "redo", side, seen.number)
        for _, seen in _since_own_act(seen_by)
        if seen.entry.type in {"undo", "redo"} and seen.entry.body.get("by") == seen_by.viewer
        for side in seen.entry.body.get("agreed", ())
    )


def _since_own_act(seen_by: View) -> Iterator[tuple[int, Seen]]:
    """Yield the entries since the viewer last answered or asked for anything, the newest first."""
    for i in range(len(seen_by.log) - 1, -1, -1):
        seen = seen_by.log[i]
        body, (_, _, end) = seen.entry.body, seen.entry.type.partition("-")
        refused = end == "refused" and body["by"] != seen_by.viewer
        if not refused and seen_by.viewer == (body["side"] if seen.entry.type == "answer" else end and body.get("by")):
            return
        yield i, seen


def _asker(log: Sequence[Seen], kind: str) -> Side:
    return next((s.entry.body["by"] for s in reversed(log) if s.entry.type == f"{kind}-asked"), "")


def _lines(campaign: Campaign, seen_by: View, entries: Iterable[Entry]) -> list[Told]:
    """Return the lines of a viewer's log that tell of these entries."""
    numbers = {entry.number for entry in entries}
    lines = [line for line in log_in_words(campaign, seen_by) if line.entry.number in numbers and line.text]
    # A heading alone is nothing that anybody did.
    return [line for line in lines if line.entry.type != "step"]


def _first(lines: Sequence[Told]) -> str:
    return shorten(lines[0].text, LONGEST_FIRST, placeholder="…") if lines else ""


def _rolls(lines: Sequence[Told]) -> int:
    return sum(line.entry.type == "roll" for line in lines)


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
        "modifiers": [{"value": m.value, "reason": m.reason, "rule": m.rule} for m in roll.modifiers],
    }


def entry_json(line: Told, log: Sequence[Seen]) -> dict[str, Any]:
    """Return an entry of a viewer's log, in words and with its body."""
    entry = line.entry
    return {
        "number": line.number,
        "at": entry.at,
        "type": entry.type,
        "counts": line.counts,
        "text": line.text.strip(),
        "body": _body(entry, log),
    }


def _body(entry: Entry, log: Sequence[Seen]) -> dict[str, Any]:
    if entry.type in {"open", "seed"}:
        return {}
    if entry.type in {"undo", "undo-asked", "ruling-asked"} and "to" in entry.body:
        # Numbers of entries are the viewer's own everywhere.
        return entry.body | {"to": number_seen(log, entry.body["to"])}
    return entry.body


def export_view(campaign: Campaign, seen_by: View) -> dict[str, Any]:
    """Return all that a viewer may know."""
    return {
        "title": seen_by.title,
        "viewer": seen_by.viewer,
        "ruleset": campaign.ruleset.id,
        "commitment": campaign.opening["dice"]["commitment"],
        "state": campaign.ruleset.describe(seen_by.state),
        "log": [entry_json(line, seen_by.log) for line in log_in_words(campaign, seen_by)],
        "pending": [p.question.describe() for p in seen_by.pending if p.question],
        "waiting_for": list(seen_by.waiting_for),
    }


def explain_entry(campaign: Campaign, seen_by: View, number: int, package: str) -> dict[str, Any]:
    """Return why an entry of a viewer's log happened: its rule, the answers and rolls behind it.

    `package` is the ruleset's, which has the index. Raises RefusedError if the log has no such entry.
    """
    seen = find(seen_by, number)
    lines = log_in_words(campaign, seen_by)
    body = seen.entry.body
    rule = body.get("rule") or body.get("clause") or body.get("fact", {}).get("rule", "")
    clause = RulesIndex.load_packaged(package).get(rule)
    behind = causes(seen_by, number) if seen.entry.type == "fact" else ()
    house = getattr(campaign.context, "house", None)
    changed = house.changed_for(rule) if house else ()
    return {
        "entry": entry_json(lines[number - 1], seen_by.log),
        "rule": clause.model_dump(mode="json") if clause else rule,
        "causes": [entry_json(lines[cause.number - 1], seen_by.log) for cause in behind],
        "house": [str(line) for line in campaign_house_lines(campaign) if line.clause in changed] if changed else [],
    }
