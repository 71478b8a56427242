"""The proof of records: written out and begun from again, a campaign asks, offers, shows and does the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from laager.base.files import Document, parse_document
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.log import Entry, MemoryStore, read_lines
from laager.campaign.opening import DRAWN, RECORD, opening_entries
from laager.campaign.record import take_up, write_record
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.dice import Dice
from laager.rules.board.record.files import record_data
from laager.rules.board.ruleset import BoardRuleset
from laager.rules.board.state import evolve
from tests.rules.record.logs import NAMES, Boundary, boundaries, open_log

EVERY = 50
"""Every so manieth boundary is gone on from in the ordinary tests."""
ANSWERS = 8
"""So many answers are given to both campaigns after a boundary."""
BY_TIME = {"vehicle-notes", "recon"}
SETTING = ("format", "laager", "ruleset", "title", "dice", RECORD)


class SameDice:
    """Dice that follow from how often they were rolled before, in whatever stream and by whatever number."""

    def __init__(self) -> None:
        self.rng = Random(7)

    def faces(self, dice: Dice, stream: str, number: int) -> tuple[int, ...]:
        return tuple(self.rng.randint(1, 6) for _ in range(2 if dice is Dice.DR else 1))


def setting_of(campaign: Campaign) -> dict[str, Any]:
    return {name: part for name, part in campaign.opening.items() if name not in SETTING}


def begin(campaign: Campaign, document: Document) -> Campaign:
    """Begin a campaign from a record, on the card of another one and with its key for numbers."""
    ruleset, setting = campaign.ruleset, setting_of(campaign)
    record = find_ruleset(ruleset.id).read_record(document, setting)
    store = MemoryStore()
    store.append(opening_entries(ruleset.id, "Again", {**setting, RECORD: record.opening}, seed=bytes(32)))
    again = Campaign(store, SameDice())
    take_up(again, record.secrets)
    return again


@cache
def lines_of_log(name: str) -> tuple[bytes, ...]:
    return tuple(open_log(name).store.data.splitlines(keepends=True))  # type: ignore[attr-defined]


def cut_off(name: str, boundary: Boundary) -> Campaign:
    """Return the old campaign as it was when a step had just ended, going on with other dice."""
    number = open_log(name).history.counted[boundary.entries - 1].number
    return Campaign(MemoryStore(b"".join(lines_of_log(name)[:number])), SameDice())


def record_at(name: str, boundary: Boundary) -> Document:
    """Return the record at a boundary as a file has it, without writing it out."""
    campaign, states = open_log(name), boundary.states
    ruleset = campaign.ruleset
    assert isinstance(ruleset, BoardRuleset)
    step = ruleset.next_step(states[UMPIRE])
    assert step is not None
    public = states[SPECTATOR]
    cg = ruleset.context_for(campaign.context, public)
    sides = {side: states[side] for side in ruleset.sides}
    return Document(record_data(cg, ruleset.id, step.id, public, sides), "the record")


def going_on(name: str) -> list[Boundary]:
    """Return the boundaries after which a campaign goes on."""
    campaign = open_log(name)
    return [one for one in boundaries(campaign) if campaign.ruleset.next_step(one.states[UMPIRE]) is not None]


def comparable(state: Any) -> Any:
    """Return a state without the order in which notes of different sides came, and how steps done are counted.

    An old campaign has done steps one by one in whose place one stands now.
    """
    return evolve(state, notes=tuple(sorted(state.notes)), viewer="", taking_up=False, done=())


def shown(campaign: Campaign, viewer: str) -> Iterator[tuple[str, Any]]:
    """Yield what a viewer is shown: headline, sheets, map, questions with what they offer."""
    ruleset, seen = find_ruleset(campaign.ruleset.id), view(campaign, viewer)
    yield "headline", ruleset.headline(campaign.context, seen.state)
    for sheet in ruleset.sheets(campaign.context, seen.state):
        # Who sees both sides, and at the end that is everybody, has one list of them in the order in which they came.
        rows = sorted(sheet.rows) if sheet.id in BY_TIME else sheet.rows
        yield f"sheet {sheet.title}", replace(sheet, rows=tuple(rows))
    layers = ruleset.drawing(campaign.context, seen.state)[1]
    units, forts = sorted(layers.units, key=_side_of), sorted(layers.forts, key=_side_of)
    yield "map", replace(layers, units=units, forts=forts, ground=sorted(layers.ground, key=_side_of))
    for pending in seen.pending:
        what = pending.question.describe() if pending.question else repr(pending.roll)
        yield f"question {pending.key}", (pending.side, json.dumps(what, sort_keys=True, default=str))
        for sheet in ruleset.sheets_beside(campaign.context, seen.state, pending.key, pending.side):
            yield f"beside {pending.key}: {sheet.title}", sheet
    yield "waiting", seen.waiting_for


def _side_of(mark: Any) -> str:
    return str(mark.side)


def check_same(old: Campaign, new: Campaign, where: Any) -> None:
    for viewer in (UMPIRE, *old.ruleset.sides, SPECTATOR):
        before, now = list(shown(old, viewer)), list(shown(new, viewer))
        assert [name for name, _ in before] == [name for name, _ in now], (where, viewer)
        for (name, was), (_, is_) in zip(before, now, strict=True):
            assert is_ == was, (where, viewer, name)


def facts_since(campaign: Campaign, count: int) -> list[tuple[str, str, str]]:
    """Return what came since: of what follows at once, one side's can come before the other's, or after it."""
    entries: list[Entry] = campaign.history.counted[count:]
    kept = (entry for entry in entries if entry.type in {"fact", "answer", "done"})
    return sorted((entry.type, entry.lane, json.dumps(entry.body, sort_keys=True)) for entry in kept)


def play_both(old: Campaign, new: Campaign, answers: int, rng: Random, where: Any) -> None:
    """Give both campaigns the same answers, and compare what follows."""
    begun = len(old.history.counted), len(new.history.counted)
    for _ in range(answers):
        asked = [(one.side, one.key) for one in old.pending()]
        assert asked == [(one.side, one.key) for one in new.pending()], where
        if not asked:
            break
        pending = old.pending()[0]
        assert pending.question is not None
        value = pending.question.sample(rng) if rng.random() < 0.5 else pending.question.default
        for campaign in (old, new):
            campaign.answer(pending.side, pending.key, value)
        assert comparable(new.state) == comparable(old.state), (where, pending.key)
    assert facts_since(new, begun[1]) == facts_since(old, begun[0]), where


@pytest.mark.parametrize("name", NAMES)
def test_every_point_gives_the_same_state(name: str) -> None:
    campaign = open_log(name)
    points = going_on(name)
    for boundary in points[:: max(1, len(points) // 6)]:
        new = begin(campaign, record_at(name, boundary))
        # What it goes on to by itself is compared below: here it is the state before that.
        state = next(state_after_taking_up(new))
        assert comparable(state) == comparable(boundary.states[UMPIRE]), boundary.entries


def state_after_taking_up(campaign: Campaign) -> Iterator[Any]:
    state = campaign.ruleset.start(campaign.opening, UMPIRE)
    for entry in campaign.history.counted:
        if entry.type == "fact":
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            yield campaign.ruleset.step_done(state, entry.body["step"])


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_asked_shown_and_done(name: str) -> None:
    for boundary in islice(going_on(name), 3, None, EVERY):
        old = cut_off(name, boundary)
        old.advance()
        new = begin(open_log(name), record_at(name, boundary))
        check_same(old, new, boundary.entries)
        play_both(old, new, ANSWERS, Random(boundary.entries), boundary.entries)
        check_same(old, new, boundary.entries)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_one_sides_secrets_is_anywhere_else(name: str) -> None:
    for boundary in islice(going_on(name), 8, None, 2 * EVERY):
        data, state = record_at(name, boundary).data, boundary.states[UMPIRE]
        for side in open_log(name).ruleset.sides:
            others = json.dumps([data["public"], *(part for own, part in data["secret"].items() if own != side)])
            hidden = [unit.id for unit in state.units.values() if unit.side == side and not unit.known]
            hidden += [fort.id for fort in state.forts.values() if fort.side == side and fort.hidden]
            assert not [thing for thing in hidden if f'"{thing}"' in others], boundary.entries
            secret = data["secret"][side]
            assert not {*secret.get("groups", ())} & {*data["public"].get(side, {}).get("groups", ())}


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_asked_and_shown_at_every_point(name: str) -> None:
    for boundary in going_on(name):
        old = cut_off(name, boundary)
        old.advance()
        new = begin(open_log(name), record_at(name, boundary))
        check_same(old, new, boundary.entries)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_done_to_the_end(name: str) -> None:
    for boundary in going_on(name)[5::20]:
        old = cut_off(name, boundary)
        old.advance()
        new = begin(open_log(name), record_at(name, boundary))
        play_both(old, new, 300, Random(boundary.entries), boundary.entries)
        check_same(old, new, boundary.entries)


def mapping(value: Any) -> Mapping[str, Any]:
    assert isinstance(value, Mapping)
    return value


def test_in_the_middle_of_a_step_it_is_the_record_with_which_the_step_began() -> None:
    lines = lines_of_log("pl-walkthrough")
    entries = read_lines(b"".join(lines), "log")[0].entries
    cut = next(e.number for e in entries if e.type == "answer" and e.body["key"] == "purchases")
    campaign = Campaign(MemoryStore(b"".join(lines[:cut])))
    campaign.advance()
    data = mapping(parse_document(write_record(campaign, UMPIRE), "r").data)
    assert data["next"] == "buying"
    assert DRAWN not in data
