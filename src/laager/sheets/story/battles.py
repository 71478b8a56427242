"""The battles of a campaign in a viewer's log: where each begins, where its play ends, where it is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import Refusal, RefusedError
from laager.campaign import UMPIRE, find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.views import View, state_at

FACTS = frozenset({"fact", "declared"})


@dataclass(frozen=True)
class Event:
    """A fact that counts: the viewer's number of its entry, its kind, and what it says."""

    number: int
    kind: str
    fact: Mapping[str, Any]


@dataclass(frozen=True)
class Battle:
    """A firefight or scenario. Entries are the viewer's own numbers.

    `begun` is where its round begins (purchases, setup), `ends` where that of the next one does, `counts_from` where
    its losses begin to count. `before` is the last entry before play ended, `reported` that at which the report on it
    is complete; both are 0 while play goes on, or if none was played. `last` is its last entry as yet, `closed` is
    true if there will be no more.
    """

    number: int
    title: str
    kind: str
    begun: int
    ends: int
    counts_from: int
    before: int
    reported: int
    last: int
    closed: bool

    @property
    def fought(self) -> bool:
        """True if its play has ended, and both sides have reported."""
        return bool(self.reported)

    def prepares(self, entry: int) -> bool:
        """True if an entry belongs to its round: from its purchases to the next round."""
        return self.begun <= entry <= self.ends

    def counts(self, entry: int) -> bool:
        """True if what an entry tells is a loss, a gain or a roll of this battle, or of its aftermath."""
        return self.counts_from <= entry <= self.last


def events(seen: View) -> Iterator[Event]:
    """Yield the facts of a viewer's log that count, in order."""
    for line in seen.log:
        if line.counts and line.entry.type in FACTS:
            yield Event(line.number, line.entry.body["kind"], line.entry.body["fact"])


@dataclass
class _Round:
    """A battle as it is found: entries of a log, 0 for what has not come yet."""

    number: int
    begun: int
    counts_from: int
    before: int = 0
    reported: int = 0


def battles(campaign: Campaign, seen: View) -> tuple[Battle, ...]:
    """Return the battles of a campaign as far as a viewer's log goes, Idle ones too; none without a board."""
    rounds = list(_rounds(seen, _opens_tallies(campaign)))
    end = len(seen.log)
    over = campaign.over or getattr(seen.state, "round", "") == "over"
    made = []
    for i, round_ in enumerate(rounds):
        follows = rounds[i + 1].begun if i + 1 < len(rounds) else end + 1
        present = follows - 1
        if round_.counts_from:
            # In the HASL campaigns the next date begins amid the refit: what comes before its play still counts here.
            follows = next((two.counts_from for two in rounds[i + 1 :] if two.counts_from), end + 1)
        title, kind = _titles(campaign, seen, round_.before or present)
        closed = over or follows <= end
        parts = (
            round_.begun,
            present,
            round_.counts_from or round_.begun,
            round_.before if round_.reported else 0,
            round_.reported,
        )
        made.append(Battle(round_.number, title, kind, *parts, follows - 1, closed))
    return tuple(made)


def latest(campaign: Campaign, seen: View) -> int:
    """Return the number of the last battle that was fought, 0 before the first."""
    return max((round_.number for round_ in _rounds(seen, _opens_tallies(campaign)) if round_.reported), default=0)


def _opens_tallies(campaign: Campaign) -> bool:
    """True if the rules say when losses begin to count, false if they do with the round."""
    return "tallies-opened" in campaign.ruleset.facts


def _rounds(seen: View, opened: bool) -> Iterator[_Round]:
    """Yield the rounds of a log; of campaigns without battles none. `opened` as `_opens_tallies` says."""
    now: _Round | None = None
    for event in events(seen):
        begins = _begins(event, now)
        if begins:
            if now is not None:
                yield now
            now = _Round(begins, event.number, 0 if opened else event.number)
        elif now is None:
            continue
        elif event.kind == "tallies-opened":
            now.counts_from = event.number
        elif event.kind == "play-ended":
            now.before = event.number - 1
        elif event.kind in ("round-begun", "campaign-ended") and now.before and not now.reported:
            now.reported = event.number
    if now is not None:
        yield now


def _begins(event: Event, now: _Round | None) -> int:
    """Return the number of the round that a fact begins; 0 if it begins none."""
    number = {"round-begun": "firefight", "date-begun": "number"}.get(event.kind, "")
    if event.kind == "campaign-begun":
        return 1
    begun = event.fact.get(number)
    return int(begun) if begun and now is not None and begun != now.number else 0


def _titles(campaign: Campaign, seen: View, at: int) -> tuple[str, str]:
    """Return what a battle is called, and what kind it is, as the viewer saw it at an entry."""
    rules = find_ruleset(campaign.opening["ruleset"])
    head = rules.headline(campaign.context, state_at(campaign, seen.viewer, at))
    title = head[0] if head else seen.title
    kind = head[1].partition(";")[0] if len(head) > 1 and ";" in head[1] else ""
    return title, kind


def find_battle(campaign: Campaign, seen: View, number: int | None = None) -> Battle:
    """Return a battle that was fought, by its number; None for the last one.

    Raises RefusedError if there is none (yet) of this number.
    """
    known = [battle for battle in battles(campaign, seen) if battle.fought]
    if not known:
        if not find_battles(campaign):
            raise RefusedError(Refusal.NO_SUCH, "campaigns of these rules have no battles to tell of")
        raise RefusedError(Refusal.NO_SUCH, "no battle has been fought yet", "come back when play has ended")
    if number is None:
        return known[-1]
    battle = next((battle for battle in known if battle.number == number), None)
    if battle is None:
        named = ", ".join(str(battle.number) for battle in known)
        raise RefusedError(Refusal.NO_SUCH, f"battle {number} hasn't been fought", f"fought were {named}")
    return battle


def find_battles(campaign: Campaign) -> bool:
    """True if campaigns of these rules are fought on a board, so that there can be battles."""
    return "play-ended" in campaign.ruleset.facts


def knows_side(seen: View, side: str) -> bool:
    """True if the viewer knows this side's secrets."""
    return seen.eyes in (UMPIRE, side)
