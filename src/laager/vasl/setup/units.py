"""The counter of a unit: by name and palette in the player's own module.

A table has the name and palette of VASL's counter for each type of the catalogues that ship. A type that is not in
the table (a card's own) is looked for among all counters of its nation, as the reader of saves would identify them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from laager.catalogue import Nation
from laager.hexmap.coords import split_location
from laager.rules.board.units import Fort, Mark, Unit
from laager.vasl.archive import packed_table
from laager.vasl.report.counters import REDUCED, STEP_LOSSES, STRIPED, identify
from laager.vasl.saves.counters import NATIONS, kind_of, nation_of
from laager.vasl.saves.game import Piece
from laager.vasl.setup.build_file import Slot
from laager.vasl.setup.counters import Counter, CounterMaker, levels, named_slots
from laager.vasl.setup.module import VaslModule

MARKERS = ("Unit > ", "Info > ", "Other > ")
"""The palettes with counters that belong to no nation."""
LABEL = "User-Labeled"
"""The counter that is nothing but its text."""
MAX_AT_FACTORS = 5
"""The most factors of A-T mines on one counter."""
_ENGINEERS = "AEsq"

_LAYERS: Mapping[Mark, tuple[str, ...]] = {
    Mark.BROKEN: ("broken ",),
    Mark.FANATIC: ("Fanatic ",),
    Mark.BERSERK: ("Berserk ",),
    Mark.HEROIC: ("Heroic ",),
    Mark.WOUNDED: ("Wnd ",),
    Mark.MALFUNCTIONED: ("malf ", "Malf "),
    Mark.DISABLED: ("malf ", "Malf "),
    Mark.DISMANTLED: ("dm ", "Dismantled "),
    Mark.LIMBERED: ("Lmbd ",),
}
"""Markers that are a face of the counter, and the words before its name."""
_ON_TOP: Mapping[Mark, str] = {
    Mark.DM: "DM",
    Mark.DISRUPTED: "Disrupt",
    Mark.PIN: "Pin",
    Mark.TI: "TI",
    Mark.CX: "CX",
    Mark.ENCIRCLED: "Encircled",
    Mark.FANATIC: "Fanatic",
    Mark.BERSERK: "Berserk",
    Mark.HEROIC: "Heroic",
    Mark.WOUNDED: "Wounded",
    Mark.WALKING_WOUNDED: "Walking Wounded",
    Mark.MOTION: "Motion",
    Mark.HULL_DOWN: "3 side Hull-Down",
    Mark.STUN: "STUN",
    Mark.SHOCK: "Shock",
    Mark.UNKNOWN: "UK",
    Mark.BOGGED: "Bog",
    Mark.MIRED: "Mired",
    Mark.IMMOBILIZED: "Immob.",
    Mark.ABANDONED: "Aband.",
    Mark.LOW_AMMO: "Low Ammo",
    Mark.MALFUNCTIONED: "MG malf",
    Mark.MA_MALFUNCTIONED: "MA Malf",
    Mark.MA_DISABLED: "MA Malf",
    Mark.MELEE: "Melee",
    Mark.RECALL: "RECALL",
    Mark.LIMBERED: "Limbered",
}
"""Markers that are a counter of their own on top, and its name in VASL."""

ON_TOP = frozenset(_ON_TOP) - frozenset(_LAYERS)
"""Markers that are always a counter on top."""


@dataclass(frozen=True)
class _CounterRow:
    counter: str
    palette: str
    slot: str


@cache
def _load_units() -> Mapping[tuple[str, str, str], _CounterRow]:
    """Return the counters by nation, kind and type."""
    return {
        (line["nation"], line["kind"], line["type"]): _CounterRow(line["counter"], line["palette"], line["slot"])
        for line in packed_table("units.csv")
    }


@cache
def _palettes() -> Mapping[str, str]:
    """Return the palette of each nation, such as `Axis O/B > German`."""
    return {nation: " > ".join(row.palette.split(" > ")[:2]) for (nation, _, _), row in _load_units().items()}


class CounterFinder:
    """Finds counters in a module; what it lacks is None."""

    def __init__(self, module: VaslModule, maker: CounterMaker) -> None:
        self.module, self.maker = module, maker
        self._types: dict[tuple[str, str, str], Counter | None] = {}
        self._markers: dict[tuple[str, str], Counter | None] = {}

    # Units ----------------------------------------------------------------------------------------

    def unit(self, unit: Unit, nation: Nation) -> tuple[Counter | None, tuple[Counter, ...], tuple[Mark, ...]]:
        """Return the counter of a unit with the face of its markers, the counters on top, the markers left over."""
        counter = self.type(nation, unit.kind, unit.type)
        if counter is None:
            return None, (), ()
        on_top, rest = [], []
        for mark in Mark:
            if not unit.has(mark) or (mark not in _LAYERS and mark not in _ON_TOP):
                continue
            faced = self._with_mark(counter, mark)
            marker = self.marker(_ON_TOP[mark]) if faced is None and mark in _ON_TOP else None
            if faced is not None:
                counter = faced
            elif marker is not None:
                on_top.append(marker)
            else:
                rest.append(mark)
        if unit.has(Mark.CREW_EXPOSED):
            counter = counter.on_level("+ CE") or counter
        return counter, tuple(on_top), tuple(rest)

    def _with_mark(self, counter: Counter, mark: Mark) -> Counter | None:
        name = counter.naming.unit
        if any(name.startswith(words) for words in _LAYERS.get(mark, ())):
            return counter
        faces = (self.maker.with_face(counter, f"{words}{name}") for words in _LAYERS.get(mark, ()))
        return next((face for face in faces if face is not None), None)

    def type(self, nation: Nation, kind: str, type_: str) -> Counter | None:
        """Return the counter of a type as it comes."""
        key = (nation.id, kind, type_)
        if key not in self._types:
            self._types[key] = self._by_table(nation, kind, type_) or self._by_name(nation, kind, type_)
        return self._types[key]

    def _by_table(self, nation: Nation, kind: str, type_: str) -> Counter | None:
        row = _load_units().get((nation.id, kind, type_)) or _load_units().get((nation.group, kind, type_))
        if row is None:
            return self._step_loss_counter(nation, type_) if type_.endswith(REDUCED) else None
        for slots in (self.module.palettes.get(row.palette, ()), tuple(self._slots_of(nation))):
            matches = named_slots(slots, self.maker, row.counter)
            best = next((counter for slot, counter in matches if slot.gpid == row.slot), None)
            if matches:
                return best or matches[0][1]
        return None

    def _step_loss_counter(self, nation: Nation, type_: str) -> Counter | None:
        """Return a squad's counter with the stripe of its first step loss."""
        factors = type_.removesuffix(REDUCED)
        wanted = f"{STRIPED}{STEP_LOSSES.get(factors, factors)} "
        candidates: list[Counter] = []
        for slot in self._slots_of(nation):
            if wanted in slot.text:
                counter = self.maker.counter(slot)
                names = [name for trait in counter.traits for name in levels(trait) if name.startswith(wanted)]
                candidates += [face for name in names if (face := self.maker.with_face(counter, name)) is not None]
        # Assault Engineers have counters of their own.
        ordinary = (face for face in candidates if _ENGINEERS not in face.name)
        return next(ordinary, candidates[0] if candidates else None)

    def _by_name(self, nation: Nation, kind: str, type_: str) -> Counter | None:
        """Return the first counter of the nation that the reader of saves takes for the type."""
        for slot in self._slots_of(nation):
            counter = self.maker.counter(slot)
            identified = identify(_as_piece(counter), nation)
            if identified is not None and (identified.type, identified.kind) == (type_, kind):
                return counter
        return None

    def _slots_of(self, nation: Nation) -> Iterator[Slot]:
        """Yield the slots of a nation, in the order of its palettes."""
        start = _palettes().get(nation.id) or _palettes().get(nation.group)
        if start is None:
            return
        for name, slots in self.module.palettes.items():
            if name == start or name.startswith(f"{start} > "):
                yield from slots
        _, _, nationality = start.partition(" > ")
        for slot in self._of_extensions:
            if not f"{slot.palette} > ".startswith(f"{start} > ") and self._is_of(slot, nationality):
                yield slot

    @cached_property
    def _of_extensions(self) -> list[Slot]:
        return [
            slot for slot in self.module.slots if any(extension.owns(slot.gpid) for extension in self.module.extensions)
        ]

    def _is_of(self, slot: Slot, nationality: str) -> bool:
        """True if an extension's palette names a nationality; without a nation's name the picture tells."""
        names = set(slot.palette.split(" > ")) & {*NATIONS.values()}
        if names:
            return nationality in names
        counter = self.maker.counter(slot)
        return NATIONS.get(nation_of(counter.read, counter.naming) or "") == nationality

    # Counters of a nation and of none -------------------------------------------------------------

    def counter_of_nation(self, nation: Nation, word: str) -> Counter | None:
        """Return a nation's counter by its name or the end of it: `?`, `Control`, `Sniper`."""
        for slot in self._slots_of(nation):
            if slot.name == word or slot.name.endswith(f" {word}"):
                return self.maker.counter(slot)
        return None

    def wreck(self, nation: Nation, kind: str, type_: str) -> Counter | None:
        """Return the wreck of a vehicle; the one that is burnt out if it has none of its own."""
        vehicle = self.type(nation, kind, type_)
        name = f"{type_ if vehicle is None else vehicle.read.basic} Wreck"
        slot = next((candidate for candidate in self.module.slots if candidate.name == name), None)
        return self.marker("Burnt Out Wreck") if slot is None else self.maker.counter(slot)

    def marker(self, wanted: str, slot_name: str = "") -> Counter | None:
        """Return a counter of no nation that has this face; `slot_name` is the name of its slot, if it is known."""
        key = (wanted, slot_name)
        if key not in self._markers:
            self._markers[key] = self._marker(wanted, slot_name) if wanted else None
        return self._markers[key]

    def _marker(self, wanted: str, slot_name: str) -> Counter | None:
        same_name = [slot for slot in self._of_no_nation if slot.name == (slot_name or wanted)]
        for slots in (same_name, self._of_no_nation):
            matches = named_slots(slots, self.maker, wanted)
            if matches:
                return matches[0][1]
        return None

    @cached_property
    def _of_no_nation(self) -> list[Slot]:
        """The slots that belong to no nation, those for units first."""
        palettes = self.module.palettes.items()
        return [slot for start in MARKERS for name, slots in palettes if name.startswith(start) for slot in slots]

    def label(self, text: str, *, stacks: bool = False) -> Counter | None:
        """Return a counter with a text on it; one that `stacks` can lie with others."""
        slot = next((candidate for candidate in self.module.slots if candidate.name == LABEL), None)
        if slot is None:
            return None
        counter = self.maker.counter(slot).with_label(text)
        return Counter(tuple(trait for trait in counter.traits if trait.id != "immob")) if stacks else counter

    # Fortifications and places --------------------------------------------------------------------

    def level(self, at: str, *, fortified: bool = False) -> Counter | None:
        """Return the level counter of a Location: of a building, or of a fortified one."""
        _, level = split_location(at)
        word = {None: "Ground Level", "c": "Cellar"}.get(level, f"Level {level}")
        name = "Fort Bldg" if fortified else "Building"
        return self.marker(f"{name} {word}", name)

    def fort(self, fort: Fort) -> tuple[Counter, ...]:
        """Return the counters of a fortification; none if the module has none for it."""
        counters = tuple(self._fort(fort))
        return () if None in counters else tuple(counter for counter in counters if counter is not None)

    def _fort(self, fort: Fort) -> Iterator[Counter | None]:
        size = fort.size.strip()
        match fort.kind:
            case "foxhole":
                yield self.marker(f"{size.removesuffix('S') or 1}S Foxhole", "Foxhole")
            case "pillbox":
                yield self.marker(f"{size} Pillbox", f"{size.partition('+')[2]} Pillbox")
            case "fortified-building":
                yield self.level(fort.at or "", fortified=True)
            case "a-p-mines" | "known-minefield":
                yield from (
                    self._mines("Minefield AP", f"{strength} FP Minefield") for strength in strengths_of(fort) or [0]
                )
            case "a-t-mines":
                fives, rest = divmod(fort.factors or fort.count, MAX_AT_FACTORS)
                strengths = [*[MAX_AT_FACTORS] * fives, *[rest] * (rest > 0)]
                yield from (self._mines("Minefield AT", f"{strength} AT Minefield") for strength in strengths)
            case "dummy-minefield":
                yield self.marker("Minefield", "Minefield Dummy")
            case "trip-flares":
                yield self.marker("Red Trip Flare", "Trip Flare")
            case kind:
                yield self.marker(_MARKER_NAMES.get(kind, ""))

    def _mines(self, slot_name: str, wanted: str) -> Counter | None:
        """Return a minefield; if there is one of its strength, its cover keeps this from sight until it is revealed."""
        counter = self.marker("Minefield", slot_name)
        return None if counter is None else counter.on_level(wanted) or counter


_MARKER_NAMES: Mapping[str, str] = {
    "trench": "Trench",
    "sangar": "Sangar",
    "wire": "Wire",
    "roadblock": "Roadblock",
    "barricade": "Barricade",
    "a-t-ditch": "A-T Ditch",
    "panji": "Panjis",
    "tetrahedrons": "Tetrahedron",
    "cave": "Lv 0 Cave",
    "tunnel": "Tunnel Entrance x1",
}


def strengths_of(fort: Fort) -> list[int]:
    """Return the strengths of A-P minefield counters that add up to a fortification's factors; none if none do.

    There are counters of 12, 8 and 6 FP.
    """
    for twelves in range(fort.factors // 12, -1, -1):
        for eights in range((fort.factors - 12 * twelves) // 8, -1, -1):
            sixes, rest = divmod(fort.factors - 12 * twelves - 8 * eights, 6)
            if not rest:
                return [*[12] * twelves, *[8] * eights, *[6] * sixes]
    return []


def _as_piece(counter: Counter) -> Piece:
    """Return a counter as the reader of saves has it, as far as needed to identify it."""
    naming, read = counter.naming, counter.read
    return Piece(
        id="",
        name=naming.name,
        unit=naming.unit,
        basic=read.basic,
        shown=naming.shown,
        kind=kind_of(read, naming),
        nation=nation_of(read, naming),
        slot=read.slot,
        map=None,
        x=0,
        y=0,
    )
