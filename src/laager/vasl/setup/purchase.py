"""A Design Your Own purchase as counters beside the boards: by group and entry, the Axis above, the Allies below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from laager.base import RefusedError
from laager.catalogue import Nation, load_packaged
from laager.rules.board.units import Fort
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.forces import BATTERIES, UNITS, WORKS, ForceEntry, entry_words, force_groups
from laager.rules.design_your_own.terms import AXIS
from laager.vasl.setup.board import LaidBoards
from laager.vasl.setup.counters import Counter
from laager.vasl.setup.plan import PILE_HEIGHT, PILE_WIDTH, Missing, Pile, PlacedCounter, Plan
from laager.vasl.setup.units import CounterFinder

PILE_SIZES = (4, 6, 8, 12, 20, 40)
"""Counters in a pile; the first number by which all piles have room in the border is taken."""
LETTER_WIDTH = 7
"""Room for a letter of a label, in pixels."""
_KINDS: Mapping[str, tuple[str, ...]] = {
    "squads": ("squad", "half-squad", "crew"),
    "leaders": ("leader",),
    "support_weapons": ("sw",),
    "guns": ("gun",),
    "vehicles": ("afv", "vehicle"),
}
"""Kinds that the types of a section can have."""
_CONTACTS: Mapping[str, str] = {"radio": "Radio", "phone": "Field Phone"}
_FORTS: Mapping[str, str] = {"at-trench": "a-t-ditch", "minefield": "a-p-mines", "at-mine": "a-t-mines"}
"""Kinds of fortifications whose names in campaigns differ from those of the chart."""
_BY_FACTORS = frozenset({"a-p-mines", "a-t-mines"})
_NO_COUNTER = ("hip-", "booby-traps-", "udt", "recon", "ammo-dump")
"""Beginnings of what is bought without a counter: its label tells of it."""


def purchase_plan(cg: Cg, sides: Iterable[str], ground: LaidBoards, finder: CounterFinder, seen: str) -> Plan:
    """Return the forces of these sides as piles beside the boards; `seen` says how all of them are hidden.

    `cg` has the state of a view that knows these sides' Rosters.
    """
    planner = _Planner(cg, ground, finder, seen)
    piles = tuple(pile for side in sides for pile in planner.lay_out(side))
    return Plan(piles, tuple(dict.fromkeys(planner.missing)))


@dataclass(frozen=True)
class _Heap:
    """The counters of an entry, each with those that lie with it, and its label if it needs one."""

    label: PlacedCounter | None
    counters: tuple[tuple[PlacedCounter, ...], ...]


@dataclass
class _Planner:
    cg: Cg
    ground: LaidBoards
    finder: CounterFinder
    seen: str
    missing: list[Missing] = field(default_factory=list)

    def lay_out(self, side: str) -> Iterator[Pile]:
        """Yield a side's piles, in rows of the border."""
        lowest = max(board.corner[1] + board.placed.shown[1] for board in self.ground.boards)
        highest = min(board.corner[1] for board in self.ground.boards)
        right = max(board.corner[0] + board.placed.shown[0] for board in self.ground.boards)
        top, rows = (PILE_HEIGHT if side == AXIS else lowest + PILE_HEIGHT), max(1, highest // PILE_HEIGHT - 1)
        groups = list(self._groups(side))
        for size in PILE_SIZES:
            piles = list(_flow(groups, size, right, top))
            if not piles or piles[-1].at[1] <= top + (rows - 1) * PILE_HEIGHT:
                break
        yield from (Pile(pile.where, pile.at, pile.pieces, self.seen) for pile in piles)

    def _groups(self, side: str) -> Iterator[tuple[str, list[_Heap]]]:
        name = self.cg.terms.name(side)
        for place, group in enumerate(force_groups(self.cg.ob(side))):
            key = f"dyo:{side}:{place}"
            heading = self.finder.label(f"{name}: {group.title}")
            heaps = [] if heading is None else [_Heap(PlacedCounter(f"label:{key}", heading), ())]
            heaps += [self._heap(side, f"{key}:{number}", entry) for number, entry in enumerate(group.entries)]
            yield group.title, heaps

    def _heap(self, side: str, key: str, entry: ForceEntry) -> _Heap:
        counters = list(self._counters(side, entry))
        needs_label = entry.section not in UNITS or entry.capabilities or entry.remarks
        label = self.finder.label(entry_words(self.cg, entry)) if needs_label else None
        prefix = f"unit:{key}" if entry.section in UNITS else key
        return _Heap(
            PlacedCounter(f"label:{key}", label) if label is not None else None,
            tuple(
                tuple(PlacedCounter(f"{prefix}:{number}:{part}", counter) for part, counter in enumerate(together))
                for number, together in enumerate(counters)
            ),
        )

    def _counters(self, side: str, entry: ForceEntry) -> Iterator[tuple[Counter, ...]]:
        """Yield for each piece of an entry its counter, upon its crew and beneath its Armor Leader."""
        nation = self._nation(side, entry.type)
        if entry.section == WORKS:
            yield from ((counter,) for counter in self._works(entry, nation))
            return
        if entry.section == BATTERIES:
            battery = next(own for own in self.cg.ob(side).batteries if own.letter == entry.letter)
            contact = _CONTACTS.get(battery.contact)
            yield from [self._replace_missing(self._find(nation, ("sw",), contact), contact)] if contact else []
            return
        if entry.section not in UNITS:
            return
        type_ = self.cg.nation(side).plain_type(entry.type)
        counter = self._find(nation, _KINDS[entry.section], type_)
        gun = nation.guns.get(type_) if nation is not None and entry.section == "guns" else None
        crew = self._replace_missing(self._find(nation, ("crew",), gun.crew), gun.crew) if gun and gun.crew else ()
        leaders = [own.armor_leader for own in self.cg.ob(side).vehicles.entries if own.type == entry.type]
        for number in range(entry.number):
            leader = leaders[number] if entry.section == "vehicles" else ""
            above = self._replace_missing(self._find(nation, ("armor-leader",), leader), leader) if leader else ()
            yield (*crew, *self._replace_missing(counter, entry.type), *above)

    def _nation(self, side: str, type_: str) -> Nation | None:
        """Return the nation that a type's counter is of; None if the catalogue of campaigns doesn't have it."""
        home = self.cg.nation(side).home(type_)
        for name in (home.id, home.group):
            try:
                return load_packaged(name)[name]
            except RefusedError:
                continue
        return None

    def _find(self, nation: Nation | None, kinds: Sequence[str], type_: str) -> Counter | None:
        if nation is None:
            return None
        counters = (self.finder.type(nation, kind, type_) for kind in kinds)
        return next((counter for counter in counters if counter is not None), None)

    def _replace_missing(self, counter: Counter | None, name: str) -> tuple[Counter, ...]:
        """Return a counter, or a labelled one for what the module lacks."""
        if counter is None:
            self.missing.append(Missing(name, "beside the map", "a counter with its name"))
            counter = self.finder.label(name, stacks=True)
        return () if counter is None else (counter,)

    def _works(self, entry: ForceEntry, nation: Nation | None) -> Iterator[Counter]:
        if entry.type.startswith(_NO_COUNTER):
            return
        if entry.type == "concealment":
            sign = None if nation is None else self.finder.counter_of_nation(nation, "?")
            yield from self._replace_missing(sign, "?") * entry.number
            return
        kind, size = _FORTS.get(entry.type, entry.type), " ".join(entry.capabilities)
        if kind.startswith("foxhole-"):
            kind, size = "foxhole", f"{kind[-1]}S"
        # A fortified building's counter is that of its level, and it will be put on the ground level.
        fort = Fort(
            id="", side="", kind=kind.replace("tetrahedron", "tetrahedrons"), size=size, factors=entry.number, at="A1"
        )
        counters = self.finder.fort(fort) or self._replace_missing(None, entry.type)
        yield from counters if kind in _BY_FACTORS else counters * entry.number


def _flow(groups: Iterable[tuple[str, list[_Heap]]], size: int, right: int, top: int) -> Iterator[Pile]:
    """Yield the piles of groups, of at most `size` pieces, from left to right; each group begins a row."""
    y = top - PILE_HEIGHT
    for title, heaps in groups:
        x, y = 2 * PILE_WIDTH, y + PILE_HEIGHT
        for heap in heaps:
            parts: list[tuple[int, tuple[PlacedCounter, ...]]] = []
            if heap.label is not None:
                parts.append((ceil(len(heap.label.name) * LETTER_WIDTH / PILE_WIDTH) + 1, (heap.label,)))
            for start in range(0, len(heap.counters), size):
                together = heap.counters[start : start + size]
                parts.append((1, tuple(piece for pieces in together for piece in pieces)))
            for widths, pieces in parts:
                if x + widths * PILE_WIDTH > right:
                    x, y = 2 * PILE_WIDTH, y + PILE_HEIGHT
                if pieces:
                    # VASL draws a piece around its pixel.
                    yield Pile(f"{title}, beside the map", (x + (widths - 1) * PILE_WIDTH // 2, y), pieces)
                x += widths * PILE_WIDTH
