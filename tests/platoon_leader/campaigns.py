"""Whole campaigns for tests: opened from a card, played by chance, checked for what must hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from laager.base import DataError
from laager.campaign.engine import Campaign
from laager.campaign.forms import Choice, Form, Record, Rows, Several, Text
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.pending import Pending
from laager.campaign.questions import Question
from laager.campaign.ruleset import NewCampaign, find_ruleset
from laager.campaign.views import view
from laager.rules.board.card.files import shipped_files
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.ruleset import RULESET
from laager.rules.platoon_leader.state import PlState

CARDS = Path(__file__).parent / "cards"
NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))

After = Callable[[Campaign, Pending], None]


def card_path(name: str) -> Path:
    """The card of this name: one of the tests, or a shipped one."""
    beside = CARDS / f"{name}.yaml"
    return beside if beside.exists() else shipped_files("pl", "")[name]


@cache
def made_of(path: Path, readings: tuple[tuple[str, str], ...] = ()) -> NewCampaign:
    return find_ruleset("pl").read_card(path, dict(readings))


def fresh_store(
    card: str = "walkthrough",
    *,
    entered: bool = False,
    seed: bytes = SEED,
    readings: Mapping[str, str] | None = None,
    more_firefights: int = 0,
) -> MemoryStore:
    """A campaign of a card that has only begun; with more firefights like its last one."""
    made = made_of(card_path(card), tuple(sorted((readings or {}).items())))
    slots = made.setting["card"]["firefights"]
    slots = [*slots, *([slots[-1]] * more_firefights)]
    setting = {**made.setting, "card": {**made.setting["card"], "firefights": slots}}
    store = MemoryStore()
    store.append(opening_entries("pl", made.title, setting, entered, seed, NOON))
    return store


def opened(store: MemoryStore) -> Campaign:
    """The campaign in a store, gone on as far as it goes by itself; its clock stands still."""
    campaign = Campaign(store, clock=lambda: NOON, ruleset=RULESET)
    campaign.advance()
    return campaign


def new_campaign(card: str = "walkthrough", **how: Any) -> Campaign:
    return opened(fresh_store(card, **how))


def playable(campaign: Campaign) -> frozenset[str]:
    """The hexes in play."""
    cg: Cg = campaign.context  # type: ignore[assignment]
    return cg.map.playable


# Playing ----------------------------------------------------------------------------------------


def answer_by_chance(campaign: Campaign, pending: Pending, rng: Random, wild: float = 0.0) -> None:
    """Give some legal answer, at times the proposal; roll what players were to roll.

    So often as `wild` says an answer is tried first that nobody would give. It counts if it is
    legal; otherwise it has to be refused in words.
    """
    if pending.question is None:
        campaign.roll_for(pending.side)
        return
    question = pending.question
    value = question.default if rng.random() < 0.1 else question.sample(rng)
    if rng.random() < wild and taken(campaign, pending, Wild(campaign, rng).mutated(value, question)):
        return
    stored = question.accept(value)
    if question.accept(stored) != stored:
        raise AssertionError(f"an answer to {pending.key} is read otherwise when it is read again")
    campaign.answer(pending.side, pending.key, value)


def taken(campaign: Campaign, pending: Pending, value: Any) -> bool:
    """Whether an answer is accepted; if not, nothing has changed and there are reasons."""
    before = campaign.version
    try:
        campaign.answer(pending.side, pending.key, value)
    except DataError as err:
        if campaign.version != before or not all(problem.what for problem in err.problems):
            raise AssertionError("refused without a word, or not wholly") from err
        return False
    return True


def autoplay(campaign: Campaign, rng: Random, limit: int = 5000, after: After | None = None, wild: float = 0.0) -> int:
    """Answer whatever is asked, by chance, until the campaign is over; return how many answers.

    Sides answer in any order. `after` looks at the campaign after each. Fails if it is not over
    after `limit` answers.
    """
    for count in range(limit):
        waiting = campaign.pending()
        if not waiting:
            assert campaign.state.round == "over", f"dead end in round {campaign.state.round}"
            return count
        pending = rng.choice(waiting)
        answer_by_chance(campaign, pending, rng, wild)
        if after is not None:
            after(campaign, pending)
    raise AssertionError(f"not over after {limit} answers; asked is {campaign.pending()[0].key}")


class Wild:
    """Spoils answers: other choices, other words, rows more and fewer."""

    def __init__(self, campaign: Campaign, rng: Random) -> None:
        self.rng = rng
        hexes, units = sorted(playable(campaign)), [*campaign.state.units, "AX1"]
        self.words = [*rng.choices(hexes, k=6), *rng.choices(units, k=4)]
        self.words += ["", "ZZ99", "C4.1", "C4-C5", "C4 K9", "guard", "2+3+5", "x" * 30]

    def mutated(self, value: Any, question: Question) -> Any:
        """Return an answer with one to three things changed."""
        for _ in range(self.rng.randint(1, 3)):
            value = self._changed(value, question.form)
        return value

    def _changed(self, value: Any, form: Form) -> Any:
        if isinstance(form, Record) and isinstance(value, dict) and form.fields:
            part = self.rng.choice(form.fields)
            old = value.get(part.name, None if part.required else part.default)
            return {**value, part.name: self._changed(old, part.form)}
        if isinstance(form, Rows) and isinstance(value, list):
            return self._rows(value, form)
        if isinstance(form, Text):
            return self.rng.choice(self.words)
        if isinstance(form, Choice):
            return self.rng.choice(form.options).value if form.options else "nothing"
        if isinstance(form, Several) and self.rng.random() < 0.2:
            return [option.value for option in form.options]
        return form.sample(self.rng)

    def _rows(self, rows: list[Any], form: Rows) -> list[Any]:
        what = self.rng.choice(("more", "fewer", "twice", "other", "other", "other"))
        if not rows or what == "more":
            try:
                row = form.row.sample(self.rng)
            except IndexError:  # there is nothing to choose from
                return rows
            return [*rows, self._changed(row, form.row)]
        place = self.rng.randrange(len(rows))
        if what == "fewer":
            return rows[:place] + rows[place + 1 :]
        if what == "twice":
            return [*rows, rows[place]]
        return [*rows[:place], self._changed(rows[place], form.row), *rows[place + 1 :]]


# What must hold ---------------------------------------------------------------------------------


def faults(state: PlState, playable: frozenset[str]) -> Iterator[str]:
    """Everything about a whole state that can't be; nothing if it is sound."""
    for name in SIDES:
        own = state.side(name)
        for what, low, high in (
            ("cp", 0, 999),
            ("fp", 0, 999),
            ("elr", 0, 5),
            ("san", 0, 7),
            ("patrols", 0, 99),
            ("leaders_lost", 0, 999),
        ):
            if not low <= getattr(own, what) <= high:
                yield f"{name} has {what} {getattr(own, what)}"
    for key, unit in state.units.items():
        if key != unit.id:
            yield f"{unit.label} is listed under {key}"
        yield from _misplaced(state, unit, playable)
        if unit.group and (unit.side, unit.group) not in state.groups:
            yield f"{unit.label} is of {unit.group}, which there is not"
    for fort in state.forts.values():
        if fort.at is not None and fort.hex not in playable:
            yield f"{fort.id} is in {fort.at}"


def _misplaced(state: PlState, unit: Unit, playable: frozenset[str]) -> Iterator[str]:
    if unit.on_map and unit.hex not in playable:
        yield f"{unit.label} is on the map at {unit.at}"
    if unit.place in (Place.OFF_MAP, Place.POOL, Place.PATROL) and unit.at is not None:
        yield f"{unit.label} is {unit.place} and in {unit.at}"
    if unit.in_play and (unit.place is Place.POOL) != bool(unit.mlr):
        yield f"{unit.label} is {unit.place} with MLR {unit.mlr!r}"
    if not unit.with_unit or not unit.in_play:
        return
    holder = state.units.get(unit.with_unit)
    if holder is None or not holder.in_play:
        yield f"{unit.label} is with {unit.with_unit}, who is not there"
        return
    here, there = f"{unit.place} {unit.at}", f"{holder.place} {holder.at}"
    # What a patrol does not take along lies where it was, until the patrol is back.
    if here != there and holder.place is not Place.PATROL:
        yield f"{unit.label} ({here}) is not where {holder.label} is ({there})"
    if holder.side != unit.side and not unit.has(Mark.PRISONER):
        yield f"{unit.label} is with the enemy {holder.label}"


UNSEEN = frozenset({"redeploy-in-mlr"})
"""Steps in which the enemy may not look at the map: it sees what has changed at their end."""


def view_faults(campaign: Campaign) -> Iterator[str]:
    """Everything that a side's view holds and should not, or holds otherwise than it is."""
    truth: PlState = campaign.state
    if campaign.over:
        hidden = (side for side in SIDES if view(campaign, side).state != truth)
        yield from (f"{side} does not see all though the campaign is over" for side in hidden)
        return
    looking = campaign.step is None or campaign.step.id not in UNSEEN
    for side in SIDES:
        seen: PlState = view(campaign, side).state
        if seen.side(side) != truth.side(side):
            yield f"{side} holds its own numbers otherwise than they are"
        for unit in seen.units.values():
            yield from _held_wrong(side, unit, truth.units[unit.id], looking)
        for real in truth.units.values():
            if (real.side == side or (real.known and real.in_play)) and real.id not in seen.units:
                yield f"{side} does not know {real.label}"
        for fort in seen.forts.values():
            same = truth.forts.get(fort.id)
            if fort.side == other_side(side) and (same is None or same.hidden):
                yield f"{side} knows the enemy's hidden {fort.kind} {fort.id}"
        for owner, group in seen.groups:
            if owner != side:
                yield f"{side} knows the enemy's group {group}"


def _held_wrong(side: str, unit: Unit, real: Unit, looking: bool) -> Iterator[str]:
    if real.side == side:
        if unit != real:
            yield f"{side} holds its own {real.label} otherwise than it is: {unit} / {real}"
    elif not real.known:
        yield f"{side} knows the enemy's {real.label}"
    elif real.in_play and looking:
        here, there = (f"{u.type} {u.place} {u.at}" for u in (unit, real))
        if here != there:
            yield f"{side} holds {real.label} as {here}, it is {there}"
