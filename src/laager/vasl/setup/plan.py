"""The battle as one side sees it, as piles of counters on VASL's map.

Everything that both sides know comes first, then what this side alone knows, in piles of its own: the side hides or
conceals those in VASL itself, because only VASL knows whose they are. The other side's secrets are not here: the plan
is made of a side's view, which holds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import atan2, degrees
from string import ascii_uppercase

from laager.campaign.views import View
from laager.hexmap import HexMap
from laager.hexmap.coords import split_location
from laager.hexmap.draw import Layers
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import VEHICLES
from laager.rules.board.context import CardContext
from laager.rules.board.places import ITEMS, ROOMS, hex_of
from laager.rules.board.setup.forts import DC
from laager.rules.board.setup.hiding import CLOAKING, QUESTION_MARK, SET_DC
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.vasl.report.modules import label_texts
from laager.vasl.saves.marks import NO_COUNTER
from laager.vasl.setup.board import Battlefield
from laager.vasl.setup.counters import Counter
from laager.vasl.setup.units import LABEL, ON_TOP, CounterFinder, strengths_of

OPEN, HIP, CONCEALED, CLOAKED, UNSEEN, DUMMY = "open", "hip", "concealed", "cloaked", "unseen", "dummy"
"""Both sides may see a pile (open), or the way in which its side hides it."""
_HIDING_BY_MARK = ((Mark.HIP, HIP), (Mark.CONCEALED, CONCEALED), (Mark.CLOAKED, CLOAKED))
_A_P_MINES = frozenset({"a-p-mines", "known-minefield"})
_COVERS = frozenset({"foxhole", "trench", "a-t-ditch"})
"""Works that lie on top of the units in them."""
_TERRAIN: Mapping[str, str] = {
    "shellholes": "Shellholes",
    "trailbreak": "Straight Trailbreak",
    "breach": "Breach Out",
    "mousehole": "MouseHole",
    "collapsed-hut": "Collapsed Hut",
    "bridge-destroyed": "Dstr Bridge 1-4",
    "palm-trees": "Palm Debris",
}
ENTRY = "on Turn 1 or later, unless held back"
"""When units off the map enter: some, all or none each turn (PL CG6, ABtF CG9, CG24f)."""
_SIGNS = ("mark:", "prisoner:")
"""Beginnings of the keys of counters that show the state of a unit."""
_MODULE = "oba:"
"""Beginning of the key of an OBA module's label."""
MAX_PILE = 4
"""Most units in one pile beside the map."""
PILE_WIDTH, PILE_HEIGHT = 60, 70
"""Room for a pile beside the map, in pixels."""


@dataclass(frozen=True)
class PlacedCounter:
    """A counter of a pile with its key in Laager (`unit:` and an id, or a word)."""

    key: str
    counter: Counter

    @property
    def name(self) -> str:
        """The name for players: of a label its text."""
        naming = self.counter.naming
        return naming.shown if naming.unit == LABEL else naming.unit


@dataclass(frozen=True)
class Pile:
    """A pile of counters, from the bottom up: its Location, its pixel, and how it is hidden (`seen`)."""

    where: str
    at: tuple[int, int]
    pieces: tuple[PlacedCounter, ...]
    seen: str = OPEN


@dataclass(frozen=True)
class Missing:
    """Something that the module or the map lacks: what, where, and its replacement."""

    what: str
    where: str
    instead: str


@dataclass(frozen=True)
class Plan:
    """The whole setup: the piles, those free of the grid (labels) last, and what is missing."""

    piles: tuple[Pile, ...]
    missing: tuple[Missing, ...] = ()

    @property
    def has_units(self) -> bool:
        """True if a unit is in it, or something that may look like one."""
        return any(
            piece.key.startswith("unit:") or (pile.seen != OPEN and not piece.key.startswith(_MODULE))
            for pile in self.piles
            for piece in pile.pieces
        )

    @property
    def secret(self) -> tuple[Pile, ...]:
        """The piles that only this side may see."""
        return tuple(pile for pile in self.piles if pile.seen != OPEN)


def plan_of(
    cg: CardContext,
    view: View,
    ground: Battlefield,
    finder: CounterFinder,
    lines: Mapping[str, Sequence[str]] | None = None,
) -> Plan:
    """Return the setup as the viewer sees the battle.

    `cg` has the state of the same view; `lines` are the hexes of each side's front that get a Perimeter counter.
    """
    return _Planner(cg, view.viewer, ground, finder, lines or {}).plan()


def front_lines(map_: HexMap, layers: Layers) -> dict[str, list[str]]:
    """Return the hexes of each side's front as a map shows it: the rim of the ground in its MLRs, or its Front Line."""
    by_side: dict[str, list[str]] = {}
    if layers.front is not None:
        for side, lines in layers.front.lines.items():
            enclosed = {name for line in lines for name in line.hexes}
            outside = map_.playable - enclosed
            by_side[side] = [name for name in enclosed if not outside.isdisjoint(map_.neighbours(name))]
    elif layers.blocks is not None:
        by_side = {side: list(names) for side, names in layers.blocks.line.items()}
    return by_side


@dataclass
class _Location:
    """The contents of one Location that are hidden in the same way."""

    units: list[Unit] = field(default_factory=list)
    forts: list[Fort] = field(default_factory=list)


class _Planner:
    def __init__(
        self, cg: CardContext, side: str, ground: Battlefield, finder: CounterFinder, lines: Mapping[str, Sequence[str]]
    ) -> None:
        self.cg, self.side, self.ground, self.finder, self.lines = cg, side, ground, finder, lines
        self.missing: list[Missing] = []
        self._cloaks = 0

    def plan(self) -> Plan:
        for board, overlay in self.ground.overlays:
            self.missing.append(Missing(f"overlay {overlay}", f"board {board}", "put it on in VASL"))
        piles = [*self._board(), *self._open(), *self._secret(), *self._units_off_map(), *self._modules()]
        return Plan(tuple(pile for pile in piles if pile.pieces), tuple(dict.fromkeys(self.missing)))

    # On the map -----------------------------------------------------------------------------------

    def _how_seen(self, unit: Unit) -> str:
        if unit.known or self.side not in SIDES:
            return OPEN
        return next((how for mark, how in _HIDING_BY_MARK if unit.has(mark)), UNSEEN)

    def _contents(self, secret: bool) -> dict[tuple[str, str], _Location]:
        """Return the contents by Location and way of hiding."""
        contents: dict[tuple[str, str], _Location] = {}
        for unit in self.cg.state.units.values():
            how = self._how_seen(unit)
            if unit.on_map and unit.at and (how != OPEN) == secret:
                contents.setdefault((unit.at, how), _Location()).units.append(unit)
        for fort in self.cg.state.forts.values():
            how = DUMMY if fort.kind == QUESTION_MARK else HIP if fort.hidden else OPEN
            if fort.at and fort.kind not in NO_COUNTER and (how != OPEN) == secret:
                contents.setdefault((fort.at, how), _Location()).forts.append(fort)
        return contents

    def _open(self) -> Iterator[Pile]:
        """Yield one pile for each hex, of all its Locations."""
        contents = {at: location for (at, _), location in self._contents(secret=False).items()}
        for wreck in self._wrecks():
            contents.setdefault(wreck, _Location())
        for name in self.cg.sort({hex_of(at) for at in contents}):
            inside = [(at, location) for at, location in contents.items() if hex_of(at) == name]
            inside.sort(key=lambda pair: _stack_level(pair[0]))
            pieces = [piece for at, location in inside for piece in self._location(at, location)]
            yield from self._pile(name, name, [*pieces, *self._wrecks().get(name, ())], OPEN)

    def _secret(self) -> Iterator[Pile]:
        """Yield a pile for each Location and way of hiding."""
        contents = self._contents(secret=True)
        for at, how in sorted(contents, key=lambda pair: (self._rank(pair[0]), pair[1])):
            pieces = list(self._location(at, contents[at, how]))
            if how == CLOAKED:
                pieces += self._cloak(at)
            if how == CONCEALED:
                # A "?" doesn't cover what isn't a unit: a counter that tells the state of one is hidden instead.
                signs = [piece for piece in pieces if piece.key.startswith(_SIGNS)]
                yield from self._pile(at, hex_of(at), signs, HIP)
                pieces = [piece for piece in pieces if piece not in signs]
            yield from self._pile(at, hex_of(at), pieces, how)

    def _cloak(self, at: str, number: int = 0) -> list[PlacedCounter]:
        """Return the Cloaking counter of a Location, with a letter of its own."""
        letter = ascii_uppercase[self._cloaks % len(ascii_uppercase)]
        self._cloaks += 1
        counter = self.finder.counter_of_nation(self.cg.nation(self.side), "Cloak")
        counter = self._substitute("Cloaking", at) if counter is None else counter.with_label(letter)
        return [] if counter is None else [PlacedCounter(f"cloak:{at}:{number}", counter)]

    def _rank(self, at: str) -> tuple[int, int]:
        return self._order.get(hex_of(at), 0), _stack_level(at)

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.cg.map.hexes)}

    def _pile(self, where: str, name: str, pieces: list[PlacedCounter], how: str) -> Iterator[Pile]:
        at = self.ground.pixel(name)
        if at is None:
            self.missing += [Missing(piece.counter.name, where, "is not on the boards") for piece in pieces]
        elif pieces:
            yield Pile(where, at, tuple(pieces), how)

    def _location(self, at: str, contents: _Location) -> Iterator[PlacedCounter]:
        """Yield the counters in a Location, from the bottom up."""
        fortified = [fort for fort in contents.forts if fort.kind == "fortified-building"]
        _, level = split_location(at)
        rooms = [fort for fort in contents.forts if fort.kind in ROOMS]
        if fortified:
            yield from self._fort(fortified[0])
        elif level is not None and not at.endswith(".p"):
            sign = self.finder.level(at)
            yield from () if sign is None else (PlacedCounter(f"level:{at}", sign),)
        rest = [fort for fort in contents.forts if fort not in fortified and fort not in rooms]
        for fort in (fort for fort in rest if fort.kind not in _COVERS):
            yield from self._fort(fort)
        men = [unit for unit in contents.units if unit.kind not in VEHICLES]
        yield from self._units(men, [*men, *(unit for unit in contents.units if unit.kind in VEHICLES)])
        for fort in [*(fort for fort in rest if fort.kind in _COVERS), *rooms]:
            yield from self._fort(fort)
        yield from self._units([unit for unit in contents.units if unit.kind in VEHICLES], contents.units)

    def _units(self, first: Iterable[Unit], everyone: Iterable[Unit]) -> Iterator[PlacedCounter]:
        """Yield the counters of a Location's units, each with those that are with it right above."""
        everyone = list(everyone)
        ids = {unit.id for unit in everyone}
        heads = [unit for unit in first if unit.with_unit not in ids]
        # A weapon that lies on a man is his, so nobody's lie lowest. A counter on a unit may be taken for
        # those below it, too: so units with such counters come next.
        for unit in sorted(heads, key=lambda head: (head.kind not in ITEMS, not head.marks & ON_TOP)):
            yield from self._with_its_own(unit, everyone, set())

    def _with_its_own(self, unit: Unit, everyone: list[Unit], done: set[str]) -> Iterator[PlacedCounter]:
        if unit.id in done:
            return
        done.add(unit.id)
        yield from self._unit(unit)
        for other in everyone:
            if other.with_unit == unit.id:
                yield from self._with_its_own(other, everyone, done)

    def _unit(self, unit: Unit) -> Iterator[PlacedCounter]:
        counter, on_top, left = self.finder.unit(unit, self.cg.nation_of(unit))
        where = unit.at or "beside the map"
        if counter is None:
            counter = self._substitute(unit.type, where)
        if counter is None:
            return
        if unit.kind == "gun" or unit.kind in VEHICLES:
            counter = counter.turn_to(self._facing(unit))
        yield PlacedCounter(f"unit:{unit.id}", counter)
        signs = [*on_top, *filter(None, (self._substitute(mark.value, where) for mark in left))]
        for number, sign in enumerate(signs):
            yield PlacedCounter(f"mark:{unit.id}:{number}", sign)
        if unit.has(Mark.PRISONER):
            size = "SQ" if unit.kind == "squad" else "HS"
            guarded = self.finder.marker(f"Prisoner {size}", "POW / Unarmed") or self._substitute("Prisoner", where)
            yield from () if guarded is None else (PlacedCounter(f"prisoner:{unit.id}", guarded),)

    def _substitute(self, name: str, where: str) -> Counter | None:
        """Return a labelled counter for what the module lacks, and note it."""
        self.missing.append(Missing(name, where, "a counter with its name"))
        return self.finder.label(name, stacks=True)

    def _marker(self, key: str, name: str, where: str) -> Iterator[PlacedCounter]:
        counter = self.finder.marker(name) or self._substitute(name, where)
        if counter is not None:
            yield PlacedCounter(key, counter)

    def _facing(self, unit: Unit) -> str:
        """Return the hexspine towards the ground that the enemy Controls, or the middle of the map."""
        enemy = [at for at, side in self.cg.state.ground.control.items() if side != unit.side]
        places = [self.ground.pixel(hex_of(at)) for at in enemy or self.cg.map.hexes]
        known = [pixel for pixel in places if pixel is not None]
        here = self.ground.pixel(unit.hex or "") if unit.hex else None
        if here is None or not known:
            return "3"
        across = sum(x for x, _ in known) / len(known) - here[0]
        down = sum(y for _, y in known) / len(known) - here[1]
        # The hexspines go clockwise from the upper right; the second points to the right.
        return str(round(degrees(atan2(down, across)) / 60 + 1) % 6 + 1)

    def _side(self, fort: Fort) -> str:
        """Return the hexside of a fortification by the hexspines at its ends; "" without one."""
        ends = [self.ground.pixel(name) if name in self.cg.map else None for name in (fort.hex or "", fort.hexside)]
        if ends[0] is None or ends[1] is None:
            return ""
        (x1, y1), (x2, y2) = ends[0], ends[1]
        clockwise = round(degrees(atan2(x2 - x1, y1 - y2)) / 60) % 6
        return f"{(clockwise + 5) % 6 + 1}/{clockwise + 1}"

    def _fort(self, fort: Fort) -> Iterator[PlacedCounter]:
        where = fort.at or ""
        if fort.kind == QUESTION_MARK:
            if fort.size == CLOAKING:
                for number in range(fort.count):
                    yield from self._cloak(where, number + 1)
                return
            counter = self.finder.counter_of_nation(self.cg.nation(fort.side), "?") or self._substitute("?", where)
            if counter is not None:
                yield from (PlacedCounter(f"fort:{fort.id}:{number}", counter) for number in range(fort.count))
            return
        counters = self.finder.fort(fort)
        if fort.kind == SET_DC:
            charge = self.finder.type(self.cg.nation(fort.side), "sw", DC)
            counters = () if charge is None else (charge,)
        if counters and fort.kind in _A_P_MINES and not strengths_of(fort):
            self.missing.append(Missing(f"A-P mines, {fort.factors} factors", where, "a minefield without a strength"))
        if not counters:
            lacking = self._substitute(f"{fort.kind} {fort.size}".strip(), where)
            counters = () if lacking is None else (lacking,)
        for number, counter in enumerate(counters):
            yield PlacedCounter(
                f"fort:{fort.id}:{number}", counter.turn_to(self._side(fort)) if fort.hexside else counter
            )

    # The board ------------------------------------------------------------------------------------

    def _board(self) -> Iterator[Pile]:
        """Yield lasting changes of the ground, fires, Control, and the front."""
        ground = self.cg.state.ground
        for at in self.cg.sort(ground.changes):
            pieces = [piece for change in sorted(ground.changes[at]) for piece in self._change(at, change)]
            yield from self._pile(at, hex_of(at), pieces, OPEN)
        for name, fires in (("Flame", ground.flames), ("Blaze", ground.blazes)):
            for at in self.cg.sort(fires):
                yield from self._pile(at, hex_of(at), list(self._marker(f"fire:{at}", name, at)), OPEN)
        for at in self.cg.sort(ground.burnt):
            # VASL has no counter for it: it is played as Open Ground.
            lacking = self._substitute("burnt down", at)
            yield from self._pile(
                at, hex_of(at), [] if lacking is None else [PlacedCounter(f"burnt:{at}", lacking)], OPEN
            )
        control: dict[str, dict[str, str]] = {}
        for at in self.cg.sort(ground.control):
            control.setdefault(hex_of(at), {})[at] = ground.control[at]
        for name, sides in control.items():
            yield from self._pile(name, name, list(self._control_counters(name, sides)), OPEN)

        for side in SIDES:
            for number, name in enumerate(_snipers(self.cg, side)):
                yield from self._pile(name, name, self._sniper(side, number), OPEN)
            for name in self.cg.sort(self.lines.get(side, ())):
                pieces = list(self._marker(f"perimeter:{side}:{name}", f"{side.capitalize()} Perimeter", name))
                yield from self._pile(name, name, pieces, OPEN)

    def _sniper(self, side: str, number: int = 0) -> list[PlacedCounter]:
        counter = self.finder.counter_of_nation(self.cg.nation(side), "Sniper") or self._substitute(
            "Sniper", self.cg.side(side).name
        )
        return [] if counter is None else [PlacedCounter(f"sniper:{side}:{number}", counter)]

    def _control_counters(self, name: str, sides: Mapping[str, str]) -> Iterator[PlacedCounter]:
        """Yield the Control counters of a hex: one, if one side has all Locations of it that count."""
        if len(set(sides.values())) == 1:
            sides = {name: next(iter(sides.values()))}
        for at in sorted(sides, key=_stack_level):
            yield from self._control(at, sides[at])

    def _change(self, at: str, change: str) -> Iterator[PlacedCounter]:
        if change == "rubble":
            building = self.cg.map.hex(hex_of(at)).printed.building
            stone = building is None or building.material == "stone"
            _, level = split_location(at)
            name = f"{'Stone' if stone else 'Wood'} Rubble"
            counter = self.finder.marker(f"{name} Level {level}" if level else name, "Rubble")
        else:
            counter = self.finder.marker(_TERRAIN.get(change, change))
        counter = counter or self._substitute(change, at)
        if counter is not None:
            yield PlacedCounter(f"ground:{at}:{change}", counter)

    def _control(self, at: str, side: str) -> Iterator[PlacedCounter]:
        _, level = split_location(at)
        sign = self.finder.level(at) if level is not None else None
        if sign is not None:
            yield PlacedCounter(f"level:control:{at}", sign)
        counter = self.finder.counter_of_nation(self.cg.nation(side), "Control") or self._substitute(
            f"{side} Control", at
        )
        if counter is not None:
            yield PlacedCounter(f"control:{at}", counter)

    def _wrecks(self) -> Mapping[str, list[PlacedCounter]]:
        """Return the wrecks on the map, by hex."""
        wrecks: dict[str, list[PlacedCounter]] = {}
        for unit in self.cg.state.units.values():
            if unit.in_play or not unit.hex or not unit.has(Mark.WRECK) or not unit.known:
                continue
            counter = self.finder.marker("Burnt Out Wreck") if unit.has(Mark.BURNT_OUT) else None
            counter = counter or self.finder.wreck(self.cg.nation_of(unit), unit.kind, unit.type)
            counter = counter or self._substitute(f"{unit.type} wreck", unit.hex)
            if counter is not None:
                wrecks.setdefault(unit.hex, []).append(PlacedCounter(f"unit:{unit.id}", counter))
                if unit.has(Mark.BURNING):
                    wrecks[unit.hex] += self._marker(f"burning:{unit.id}", "Blaze", unit.hex)
        return wrecks

    # Beside the map -------------------------------------------------------------------------------

    def _units_off_map(self) -> Iterator[Pile]:
        """Yield units that enter, in the border: by side and Entry Area, each group behind its label."""
        width = max(board.corner[0] + board.placed.shown[0] for board in self.ground.boards)
        lowest = max(board.corner[1] + board.placed.shown[1] for board in self.ground.boards)
        for side, top in (("axis", PILE_HEIGHT), ("allied", lowest + PILE_HEIGHT)):
            x, y = 2 * PILE_WIDTH, top
            if self.cg.state.side(side).san and not _snipers(self.cg, side):
                yield Pile("beside the map", (PILE_WIDTH, top), tuple(self._sniper(side)))
            for area, piles in self._waiting(side).items():
                name = self.cg.side(side).name
                label = self.finder.label(
                    f"{name}: {f'enters by {area}, {ENTRY}' if area else f'off the map, {ENTRY}'}"
                )
                is_secret = all(how != OPEN for how, _ in piles)
                if label is not None:
                    heading = (PlacedCounter(f"label:{side}:{area}", label),)
                    yield Pile("beside the map", (x, y), heading, UNSEEN if is_secret else OPEN)
                x += 3 * PILE_WIDTH
                for how, pieces in piles:
                    if x > width:
                        x, y = 2 * PILE_WIDTH, y + PILE_HEIGHT
                    yield Pile(f"enters by {area}" if area else "off the map", (x, y), tuple(pieces), how)
                    x += PILE_WIDTH
                x, y = 2 * PILE_WIDTH, y + PILE_HEIGHT

    def _modules(self) -> Iterator[Pile]:
        """Yield the labels of the side's OBA modules, left of the boards: the Axis from above, Allies from below."""
        if self.side not in SIDES:
            return
        left = min(board.corner[0] for board in self.ground.boards)
        ends = [(board.corner[1], board.corner[1] + board.placed.shown[1]) for board in self.ground.boards]
        first, step = (min(end[0] for end in ends), 1) if self.side == SIDES[0] else (max(end[1] for end in ends), -1)
        for number, (name, text) in enumerate(label_texts(self.cg, self.side).items()):
            label = self.finder.label(text)
            if label is not None:
                at = (left // 2, first + step * number * PILE_HEIGHT // 2)
                yield Pile("beside the map", at, (PlacedCounter(f"{_MODULE}{name}", label),), UNSEEN)

    def _waiting(self, side: str) -> dict[str, list[tuple[str, list[PlacedCounter]]]]:
        """Return the piles of units off the map by Entry Area."""
        units = [unit for unit in self.cg.state.units_of(side) if unit.place is Place.OFF_MAP]
        by_area: dict[str, list[tuple[str, list[PlacedCounter]]]] = {}
        ids = {unit.id for unit in units}
        heads = [unit for unit in units if unit.with_unit not in ids]
        counts: dict[tuple[str, str], int] = {}
        for unit in sorted(heads, key=lambda head: (head.area, self._how_seen(head), head.group)):
            how = self._how_seen(unit)
            pieces = list(self._with_its_own(unit, units, set()))
            piles = by_area.setdefault(unit.area, [])
            if piles and piles[-1][0] == how and counts[unit.area, how] < MAX_PILE:
                piles[-1][1].extend(pieces)
                counts[unit.area, how] += 1
            else:
                piles.append((how, pieces))
                counts[unit.area, how] = 1
        return by_area


def _snipers(cg: CardContext, side: str) -> tuple[str, ...]:
    """Return the hexes of a side's Snipers, in the campaigns that record them; else players place them."""
    hexes: tuple[str, ...] = getattr(cg.state.side(side), "snipers", ())
    return hexes


def _stack_level(at: str) -> int:
    """Return the rank of a Location's counters in the stack of its hex: pillbox, ground, upper levels, cellar."""
    _, level = split_location(at)
    return 0 if level is None else -1 if level == "p" else 99 if level == "c" else int(level)
