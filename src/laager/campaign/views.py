"""Views: what a viewer may know. Everything that leaves the engine passes through `view`.

A view is built from nothing: the state is folded from those facts alone that the viewer may see,
so that what was never told can't be in it. Entries get the viewer's own numbers, because gaps in
the real ones would tell that something happened in secret. What a viewer has seen is kept, for
this viewer alone, and folded on when there is more. Once a campaign is over and its dice are shown,
everybody sees it through the umpire's eyes.
"""

from __future__ import annotations

import hmac
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE, Side, may_see
from laager.campaign.log import FACTS, Entry
from laager.campaign.naming import GivenNames, Namer, leave_text, named_question, namer_of
from laager.campaign.opening import DRAWN
from laager.campaign.pending import Pending

TURNS = frozenset({"open", "step", "undo", "redo"})
"""The entries with which something begins, or begins again."""
MARK_EVERY = 256
"""Entries between two states that a seat keeps, so that looking back begins nearby."""


@dataclass(frozen=True)
class Seen:
    """An entry as a viewer sees it: under the viewer's own number (from 1)."""

    number: int
    entry: Entry
    counts: bool
    """True if it still counts, or was taken back."""


@dataclass(frozen=True)
class View:
    """What one viewer may know of a campaign.

    `state` is folded from visible facts; `pending` holds the viewer's own questions (all for the
    umpire); `waiting_for` names the sides whose answers are missing. `viewer` is who looks, `eyes`
    through whose eyes: the viewer's own, and the umpire's once the campaign is over. `marking` is the key by
    which a side marks its counters in files that leave Laager ("" for others), never to be shown.
    """

    viewer: Side
    eyes: Side
    title: str
    opening: Mapping[str, Any]
    state: Any
    log: tuple[Seen, ...]
    pending: tuple[Pending, ...]
    waiting_for: tuple[Side, ...]
    marking: str = field(default="", repr=False)
    turn: int = 0
    """The number of the last entry with which a step, or the play of something again, began."""
    given: Mapping[Side, int] = field(default_factory=dict)
    """How many answers and rolls of each side are in the log."""
    named: GivenNames = field(default_factory=dict)
    """The names that players have given to units, by number, as far as the viewer may know them."""

    @property
    def version(self) -> int:
        """How many entries this viewer can see."""
        return len(self.log)


def check_viewer(campaign: Campaign, viewer: Side) -> None:
    """Raise RefusedError unless the viewer is a side of the campaign, its umpire or a spectator."""
    known = (*campaign.ruleset.sides, UMPIRE, SPECTATOR)
    if viewer not in known:
        advice = did_you_mean(viewer, known, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {viewer!r}", advice)


def eyes_of(campaign: Campaign, viewer: Side) -> Side:
    """Return through whose eyes a viewer sees: once all is over nothing is hidden from anybody."""
    return UMPIRE if campaign.over else viewer


def view(campaign: Campaign, viewer: Side) -> View:
    """Return what a viewer may know. The one way out of the engine.

    Each look continues from the last one, and costs only what is new since.
    """
    check_viewer(campaign, viewer)
    eyes = eyes_of(campaign, viewer)
    seat = _seat_of(campaign, eyes)
    pending = campaign.pending()
    return View(
        viewer=viewer,
        eyes=eyes,
        title=campaign.opening["title"],
        opening=_keyless(campaign.opening),
        state=seat.state,
        log=seat.log,
        pending=tuple(_as_asked(campaign, p, viewer, seat) for p in pending if viewer in (UMPIRE, p.side)),
        waiting_for=tuple(side for side in campaign.ruleset.sides if any(p.side == side for p in pending)),
        marking=_marking(campaign, viewer),
        turn=seat.turn,
        given=seat.given,
        named=seat.named,
    )


def _marking(campaign: Campaign, viewer: Side) -> str:
    """Return the key by which a side marks its counters: it follows from the seed, and the enemy can't guess it."""
    seeds = [entry.body["seed"] for entry in campaign.entries[:2] if entry.type == "seed"]
    if viewer not in campaign.ruleset.sides or not seeds:
        return ""
    return hmac.digest(str(seeds[0]).encode(), f"counters of {viewer}".encode(), "sha256").hex()


def _as_asked(campaign: Campaign, pending: Pending, viewer: Side, seat: Seat) -> Pending:
    """Return what a viewer is asked in his own names, without modifiers of a roll that only the umpire may know."""
    kept = campaign.asked_in_names.get((viewer, pending.side, pending.key))
    if kept is not None and kept[0] is pending and kept[1] is seat:
        return kept[2]
    namer = namer_of(campaign.ruleset, seat.named)
    say = partial(_say_in, namer, seat.state)
    asked = pending
    if pending.question is not None and namer is not leave_text:
        asked = replace(pending, question=named_question(pending.question, say))
    if pending.roll is not None:
        unseen = pending.roll.unseen if viewer == UMPIRE else ()
        asked = replace(pending, roll=replace(pending.roll, label=say(pending.roll.label), unseen=unseen))
    campaign.asked_in_names[viewer, pending.side, pending.key] = pending, seat, asked
    return asked


def _say_in(namer: Namer, state: Any, text: str) -> str:
    return namer(text, state, numbers=True)


def state_at(campaign: Campaign, viewer: Side, number: int) -> Any:
    """Return the viewer's state as it was after the entry with this (viewer's) number."""
    seen = find(view(campaign, viewer), number)
    counted = campaign.history.counted
    until = bisect_right(counted, seen.entry.number, key=lambda entry: entry.number)
    eyes = eyes_of(campaign, viewer)
    folded, state = campaign.seats[eyes].mark(until)
    return fold_seen(campaign, eyes, state, counted[folded:until])


# What is kept between looks ---------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """Where a viewer stood when it last looked: all it saw, folded so far.

    The campaign keeps one for each viewer (`Campaign.seats`). It is made of the entries that this
    viewer may see, and of no other viewer's seat. It never changes: the next look gets a new one.
    """

    entries: int
    """How many entries of the log have been gone through."""
    turns: int
    """How often something had been taken back or brought back by then."""
    cuts: int
    """How often something had been taken back by then."""
    log: tuple[Seen, ...]
    marks: tuple[tuple[int, Any], ...]
    """The viewer's state by how many entries count before it: now and then, and at last."""
    turn: int = 0
    """The viewer's number of the last entry with which a step, or the play of something again, began."""
    given: Mapping[Side, int] = field(default_factory=dict)
    """How many answers and rolls of each side the viewer has seen."""
    named: GivenNames = field(default_factory=dict)
    """The names of units that the viewer has seen given."""

    @property
    def state(self) -> Any:
        """The viewer's state after all that counts."""
        return self.marks[-1][1]

    def mark(self, until: int) -> tuple[int, Any]:
        """Return the last mark within the first `until` entries that count."""
        return self.marks[bisect_right(self.marks, until, key=lambda mark: mark[0]) - 1]


def _seat_of(campaign: Campaign, viewer: Side) -> Seat:
    """Return the viewer's seat as of now, and keep it."""
    history = campaign.history
    seat = campaign.seats.get(viewer)
    if seat is None:
        state = campaign.ruleset.start(campaign.opening, viewer)
        seat = Seat(0, history.turns, len(history.cuts), (), ((0, state),))
    if seat.entries < len(campaign.entries):
        log = _log(campaign, viewer, seat)
        fresh = log[len(seat.log) :]
        seat = Seat(
            len(campaign.entries),
            history.turns,
            len(history.cuts),
            log,
            _marks(campaign, viewer, seat),
            max((seen.number for seen in fresh if seen.entry.type in TURNS), default=seat.turn),
            _count_given(seat.given, fresh),
            {**seat.named, **{seen.entry.body["unit"]: seen.entry.body["name"] for seen in fresh if _names(seen)}},
        )
        campaign.seats[viewer] = seat
    return seat


def _names(seen: Seen) -> bool:
    return seen.entry.type == "named"


def _count_given(before: Mapping[Side, int], fresh: Iterable[Seen]) -> Mapping[Side, int]:
    given = dict(before)
    for seen in fresh:
        if seen.entry.type in {"answer", "roll"}:
            side = seen.entry.body["side"]
            given[side] = given.get(side, 0) + 1
    return given


def _log(campaign: Campaign, viewer: Side, seat: Seat) -> tuple[Seen, ...]:
    """Return the viewer's log: what it was and what came since.

    If something was taken back or brought back, what counts of the old part has changed.
    """
    history = campaign.history
    old, since = (seat.log, seat.entries) if seat.turns == history.turns else ((), 0)
    fresh = campaign.entries[since:]
    counting = {entry.number for entry in history.counted[-len(fresh) :]}
    visible = [_without_secrets(entry) for entry in fresh if may_see(entry.to, viewer)]
    first = len(old) + 1
    return old + tuple(Seen(first + i, e, e.number in counting) for i, e in enumerate(visible))


def _without_secrets(entry: Entry) -> Entry:
    """Return an entry as viewers have it: without the seed of the dice and the key of the numbers.

    Not even the umpire is shown them.
    """
    if entry.type == "seed":
        return replace(entry, body={})
    if entry.type == "open" and DRAWN in entry.body:
        return replace(entry, body=_keyless(entry.body))
    return entry


def _keyless(opening: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in opening.items() if name != DRAWN}


def _marks(campaign: Campaign, viewer: Side, seat: Seat) -> tuple[tuple[int, Any], ...]:
    """Return the marks of a seat that still stand, and those of the entries since."""
    counted = campaign.history.counted
    standing = min(campaign.history.cuts[seat.cuts :], default=seat.marks[-1][0])
    marks = [mark for mark in seat.marks if mark[0] <= standing]
    folded, state = marks[-1]
    if folded % MARK_EVERY and folded < len(counted):
        del marks[-1]
    while folded < len(counted):
        until = min(len(counted), (folded // MARK_EVERY + 1) * MARK_EVERY)
        state = fold_seen(campaign, viewer, state, counted[folded:until])
        folded = until
        marks.append((folded, state))
    return tuple(marks)


def fold_seen(campaign: Campaign, viewer: Side, state: Any, entries: Iterable[Entry]) -> Any:
    """Return a state after some more entries that count, of which the viewer sees what it may."""
    for entry in entries:
        if entry.type in FACTS and may_see(entry.to, viewer):
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            state = campaign.ruleset.step_done(state, entry.body["step"])
    return state


# Finding in a log -------------------------------------------------------------------------------


def find(seen_by: View, number: int) -> Seen:
    """Return the entry under a viewer's number. Raises RefusedError if the log has no such entry."""
    if not 1 <= number <= len(seen_by.log):
        sentence = f"there is no entry {number}; the log goes from 1 to {len(seen_by.log)}"
        raise RefusedError(Refusal.NO_SUCH, sentence)
    return seen_by.log[number - 1]


def number_when_over(campaign: Campaign, viewer: Side, number: int) -> int:
    """Return the number that an entry of a viewer's log has once the campaign is over.

    Everybody sees all entries then, so that they have their real numbers.
    """
    own = (entry.number for entry in campaign.entries if may_see(entry.to, viewer))
    return next(islice(own, number - 1, None), campaign.entries[-1].number)


def causes(seen_by: View, number: int) -> tuple[Seen, ...]:
    """Return the answers and rolls from which a fact followed, as far as the viewer may see them.

    They are those of the same procedure just before it: going back over the facts that followed
    from the same cause to the answers and rolls before them.
    """
    fact = find(seen_by, number)
    behind: list[Seen] = []
    for seen in reversed(seen_by.log[: number - 1]):
        entry = seen.entry
        if entry.type in {"step", "done", "open", "undo", "redo"}:
            break
        if entry.lane != fact.entry.lane:
            continue
        if entry.type in {"answer", "roll"}:
            behind.append(seen)
        elif behind:
            break
    return tuple(reversed(behind))
