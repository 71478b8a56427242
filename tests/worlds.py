"""Paired worlds: two campaigns that differ only in what one side keeps secret.

Between two steps facts are planted that one side alone may know: hidden units and works come or
go, Patrols are bought. From the other seat nothing has changed. Then the next step is played in
both worlds. As long as the rules make nothing of it public, the other side and a spectator must see
the same at every moment: the same entries in the same order, the same questions, and the same sides
that are waited for. So no step can tell by whom it asks, how often it rolls, or when it goes on.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, Fact
from laager.campaign.log import Entry, Loaded, MemoryStore
from laager.campaign.pending import Pending
from laager.campaign.views import view
from laager.dice import Dice, SeededDice
from laager.dice.sources import DiceSource
from laager.rules.board.facts import FortGone, FortJoined, UnitJoined, UnitMoved
from laager.rules.board.units import Fort, Mark, Place, Unit

Opened = Callable[[MemoryStore, DiceSource | None], Campaign]
"""Opens a store without going on, with other dice than its own if there are any."""


# What is seen -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """What a viewer sees at one moment of a step."""

    log: tuple[tuple[str, str], ...]
    asked: tuple[str, ...]
    waiting: tuple[str, ...]

    def leak(self, twin: Look) -> str:
        """What differs from the same moment in the twin world, other than what became public.

        What is public by the rules is a fact of its own before anything follows from it; so only
        what differs without such a fact tells. What somebody answers openly is his own choice.
        """
        for here, there in zip(self.log, twin.log, strict=False):
            if here != there and here[0] == there[0] == "answer":
                (_, one), (_, two) = json.loads(here[1]), json.loads(there[1])
                if (one["side"], one["key"]) == (two["side"], two["key"]):
                    return ""
            if here != there:
                return "" if "fact" in (here[0], there[0]) else f"entries: {here} / {there}"
        rest = (*self.log[len(twin.log) :], *twin.log[len(self.log) :])
        if rest:
            return "" if rest[0][0] == "fact" else f"entries: one sees {rest[0]}"
        if self.asked != twin.asked:
            return f"asked: {self.asked} / {twin.asked}"
        if self.waiting != twin.waiting:
            return f"waited for: {self.waiting} / {twin.waiting}"
        return ""

    def reordered(self, twin: Look) -> bool:
        """Whether both saw the same entries, but in another order."""
        return self.log != twin.log and Counter(self.log) == Counter(twin.log)


def look(campaign: Campaign, viewer: str, steps: int | None = None) -> Look:
    """What a viewer sees now; once so many steps are over, only the log up to the end of them."""
    seen = view(campaign, viewer)
    log = tuple((s.entry.type, _text_of(s.entry)) for s in seen.log)
    ends = [i for i, entry in enumerate(log) if entry[0] == "done"]
    if steps is not None and len(ends) >= steps:
        return Look(log[: ends[steps - 1] + 1], (), ())
    asked = tuple(json.dumps(p.question.describe() if p.question else p.key) for p in seen.pending)
    return Look(log, asked, seen.waiting_for)


_TEXTS: dict[int, tuple[Entry, str]] = {}
"""The texts of entries by their id(), with the entry, so that no other one gets this id.

Worlds share the entries with which they begin; `pairs_of` forgets them.
"""


def _text_of(entry: Entry) -> str:
    """What an entry says, as text; made once for each entry."""
    kept = _TEXTS.get(id(entry))
    if kept is None:
        kept = _TEXTS[id(entry)] = entry, json.dumps([entry.lane, entry.body])
    return kept[1]


def transcript(campaign: Campaign, secretive: str, first: str, chance: Random | None = None) -> dict[str, list[Look]]:
    """Play one step and return what the other side and a spectator see of it, moment by moment.

    `first` answers whatever it is asked before the other side does. The secretive side answers by
    its proposals, or by chance; the other by its proposals, who is asked the same in both worlds.
    Moments that look alike are one: how often somebody answers in secret is seen by nobody.
    """
    (watcher,) = (side for side in campaign.ruleset.sides if side != secretive)
    looks: dict[str, list[Look]] = {watcher: [], SPECTATOR: []}
    steps = 1 + _steps_done(campaign)
    campaign.advance()
    while True:
        done = _steps_done(campaign) >= steps
        for viewer, seen in looks.items():
            now = look(campaign, viewer, steps)
            if not seen or seen[-1] != now:
                seen.append(now)
        waiting = campaign.pending()
        if done or not waiting:
            return looks
        pending = min(waiting, key=lambda p: p.side != first)
        _answer(campaign, pending, chance if pending.side == secretive else None)


def _steps_done(campaign: Campaign) -> int:
    return sum(entry.type == "done" for entry in campaign.entries)


def _answer(campaign: Campaign, pending: Pending, chance: Random | None) -> None:
    if pending.question is None:
        campaign.roll_for(pending.side)
        return
    question = pending.question
    value = question.default if chance is None else question.sample(chance)
    campaign.answer(pending.side, pending.key, value)


def leaks(plain: Campaign, twin: Campaign, secretive: str, first: str, chance: Random | None = None) -> Iterator[str]:
    """Play the next step of both worlds; yield what they show of what they differ in.

    With `chance` the secretive side also answers otherwise in the twin world.
    """
    return told_by(transcript(plain, secretive, first), transcript(twin, secretive, first, chance))


def told_by(plain: dict[str, list[Look]], twin: dict[str, list[Look]]) -> Iterator[str]:
    """Compare what was seen of both worlds; yield what tells them apart."""
    for viewer, here in plain.items():
        there = twin[viewer]
        for one, two in zip(here, there, strict=False):
            if what := one.leak(two):
                yield f"{viewer} is told by {what}"
                break
            if one.log != two.log:
                if one.reordered(two):
                    yield f"{viewer} is told by the order of entries"
                break
        else:
            if len(here) != len(there):
                longer = max(here, there, key=len)
                yield f"{viewer} sees one more moment: {longer[min(len(here), len(there))].waiting}"


# The worlds ---------------------------------------------------------------------------------------


def moments(campaign: Campaign) -> dict[str, list[int]]:
    """After how many entries each step began: those moments at which no step is under way."""
    found: dict[str, list[int]] = {}
    for i, entry in enumerate(campaign.entries):
        if entry.type == "step" and campaign.entries[i - 1].type in {"done", "seed"}:
            found.setdefault(entry.body["step"], []).append(i)
    return found


@dataclass(frozen=True)
class Luck:
    """Dice that fall otherwise where one side rolls in secret, and there alone."""

    side: str
    usual: DiceSource
    other: DiceSource

    def faces(self, dice: Dice, stream: str, number: int) -> tuple[int, ...] | None:
        """Return the faces of a roll."""
        source = self.other if stream == self.side else self.usual
        return source.faces(dice, stream, number)


class Held(MemoryStore):
    """Holds entries as they are: worlds that begin alike don't write and read them anew each time.

    That a campaign can be written and read again is tested elsewhere.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        super().__init__()
        self.entries = list(entries)

    def load(self) -> Loaded:
        return Loaded(tuple(self.entries), "")

    def append(self, entries: Sequence[Entry]) -> None:
        self.entries += entries


def world(
    entries: Iterable[Entry],
    opened: Opened,
    secrets: Sequence[Fact] = (),
    luck: Callable[[DiceSource], DiceSource] | None = None,
) -> Campaign:
    """A campaign of these entries in which secrets are planted, with other luck in secret."""
    store = Held(entries)
    campaign = opened(store, None)
    if luck is not None:
        campaign = opened(store, luck(campaign.app_dice()))
    for fact in secrets:
        assert fact.to is not None
        campaign.record("fact", {"kind": fact.kind, "fact": fact.body()}, to=fact.to)
    if secrets:
        campaign.reload()
    return campaign


Area = Callable[[Campaign, str], Iterable[str]]
"""The hexes in which a side may hide something."""


def bare(campaign: Campaign, side: str, area: Area | None = None) -> Iterator[Fact]:
    """All that a side hides is gone: units that the enemy does not know, hidden works."""
    state = campaign.state
    hexes = None if area is None else set(area(campaign, side))
    shown = {unit.with_unit for unit in state.units.values() if unit.known or unit.side != side}
    for unit in state.units_of(side):
        secret = not unit.known and unit.id not in shown
        if secret and (hexes is None or unit.hex is None or unit.hex in hexes):
            yield UnitMoved(unit=unit.id, place=Place.REMOVED, to=(side,))
    for fort in state.forts.values():
        if fort.side == side and fort.hidden:
            yield FortGone(fort=fort.id, to=(side,))


def rich(campaign: Campaign, side: str, rng: Random, area: Area | None = None) -> Iterator[Fact]:
    """A side hides more: twins of its units under "?", and mines and Wire where its units are."""
    state = campaign.state
    present = [unit for unit in state.units_of(side) if not unit.has(Mark.PRISONER)]
    hexes = None if area is None else set(area(campaign, side))
    there = (unit for unit in present if unit.at and (hexes is None or unit.hex in hexes))
    places = sorted({unit.at for unit in there if unit.at})
    if not places:
        return
    number = state.side(side).next_unit
    models = [*present, *_kinds_wanted(campaign, present)]
    for i, model in enumerate(models):
        at = rng.choice(places)
        twin = model.but(
            id=re.sub(r"\d+", str(number + i), model.id), group="", known=False, with_unit="",
            place=Place.MAP, at=at, mlr="", marks=frozenset({Mark.CONCEALED}) | _traits(model),
        )  # fmt: skip
        yield UnitJoined(unit=twin, to=(side,))
    works = state.side(side).next_fort
    letters = re.sub(r"\d+", "", present[0].id)
    for i, kind in enumerate(("a-p-mines", "wire", "trench", "set-dc", "trip-flares")):
        fort = Fort(id=f"{letters}F{works + i}", side=side, kind=kind, at=places[0], factors=6)
        yield FortJoined(fort=fort, to=(side,))


def _traits(model: Unit) -> frozenset[Mark]:
    return frozenset({Mark.HEROIC}) if model.kind == "leader" else frozenset()


def _kinds_wanted(campaign: Campaign, present: Sequence[Unit]) -> Iterator[Unit]:
    """Half-squads in numbers and two Heroes, whatever the side has."""
    cg: Any = campaign.context
    for squad in (unit for unit in present if unit.kind == "squad"):
        half = cg.nation_of(squad).reduced_type(squad.type)
        if half:
            yield from [squad.but(type=half, kind="half-squad")] * 4
        hero = squad.but(type="1-4-9", kind="hero", name="")
        yield from [hero, hero]
        return


def pairs_of(
    campaign: Campaign,
    step: str,
    rng: Random,
    opened: Opened,
    more: Sequence[Callable[[Campaign, str, str], Iterable[Fact]]] = (),
    area: Area | None = None,
    half: bool = False,
) -> Iterator[str]:
    """Play a step of a played campaign in paired worlds, for both sides; yield what they tell.

    `more` yields further secrets of a ruleset: called with the campaign, the side and the kind of
    world. `area` is where units are hidden, if not wherever their side is. `half`: each kind of
    world is played for one of the sides only, by chance.
    """
    upto = rng.choice(moments(campaign)[step])
    entries = campaign.entries[:upto]
    kinds: dict[str, Callable[[Campaign, str], Iterable[Fact]]] = {
        "bare": lambda plain, side: bare(plain, side, area),
        "rich": lambda plain, side: rich(plain, side, Random(upto), area),
        "lucky": lambda plain, side: (),
    }
    begun = world(entries, opened)

    @cache
    def plainly(side: str, first: str) -> dict[str, list[Look]]:
        return transcript(world(entries, opened), side, first)

    sides = campaign.ruleset.sides
    for name, side in product(kinds, sides) if not half else [(name, rng.choice(sides)) for name in kinds]:
        first = rng.choice(campaign.ruleset.sides)
        planted = [*kinds[name](begun, side)]
        for extra in more:
            planted += [*extra(begun, side, name)]
        chance = partial(Luck, side, other=SeededDice(rng.randbytes(32)))
        twin = world(entries, opened, planted, chance if name == "lucky" else None)
        for viewer in (SPECTATOR, *(s for s in campaign.ruleset.sides if s != side)):
            assert look(begun, viewer) == look(twin, viewer), "a secret that shows"
        for told in told_by(plainly(side, first), transcript(twin, side, first)):
            yield f"{step}, {side} {name}, {first} first: {told}"
    _TEXTS.clear()
