"""Counters: a slot of the palette as a piece on the map, with the face that it needs.

A slot's definition has prototypes in it; a piece has the traits that they stand for. Its face (a broken squad, the
third size of a foxhole) is a matter of layers: those are turned on whose names make the piece's name the one that is
wanted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from laager.base import DataError, Problem
from laager.vasl.saves.counters import Naming, name_piece
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import WorkLimit, decode, encode, fold
from laager.vasl.saves.traits import MAX_TRAITS, TAB, PieceTrait, Traits, parse_whole, read_traits
from laager.vasl.setup.build_file import Definition, Slot, parse_definition
from laager.vasl.setup.module import VaslModule

NOBODY = "null"
"""Written in place of every user id: those are the players' passwords, and none is ever written."""
MAX_INSIDE = 20
"""Deepest nesting of prototypes."""
MAX_EXPANDED, MAX_MADE = 1_000_000, 200_000_000
"""Characters that the making of one counter may go through, and that of all: VASL's have 60 million."""
MAX_NAMING = 100_000
"""Characters that the naming of a counter may go through."""
MAX_TRIES = 5000
"""Faces that may be tried for all counters."""
_LEVELS, _LAYER = 17, 19
"""Fields: the names of a layer's levels, and its own name."""


@dataclass(frozen=True, repr=False)
class Counter:
    """A counter as it is put on the map: its traits from the outermost inwards, the basic piece last."""

    traits: tuple[PieceTrait, ...]

    def __repr__(self) -> str:
        return f"<Counter {self.name}>"

    @cached_property
    def read(self) -> Traits:
        """The traits as values, as the reader of saves has them."""
        return read_traits(self.traits)

    @cached_property
    def naming(self) -> Naming:
        """The names of the counter."""
        return name_piece(self.read, printable, WorkLimit(MAX_NAMING))

    @property
    def name(self) -> str:
        """The whole name, with facing and hatch."""
        return self.naming.name

    @cached_property
    def stacks(self) -> bool:
        """True if it goes into a stack."""
        kept = (trait.field(1) for trait in self.traits if trait.id == "immob")
        return not any("i" in flags or "g" in flags for flags in kept)

    def with_face(self, wanted: str, tries: WorkLimit | None = None) -> Counter | None:
        """Return the counter with one layer turned so that its name, without facing, is this; None if none does.

        Each face that is tried is taken from `tries`. Raises DataError if there are none left.

        Layers with a name of their own come first, then the innermost: a squad's counter has the broken
        half-squad in an outer layer without one.
        """
        if wanted in (self.name, self.naming.unit):
            return self
        for place in self._layers:
            trait = self.traits[place]
            for level in _levels_to_try(trait, wanted):
                if tries is not None:
                    tries.spend(1)
                candidate = self.with_state(place, str(level))
                if wanted in (candidate.name, candidate.naming.unit):
                    return candidate
        return None

    @cached_property
    def _layers(self) -> list[int]:
        places = [place for place, trait in enumerate(self.traits) if trait.id == "emb2"]
        return sorted(places, key=lambda place: (not self.traits[place].field(_LAYER), -place))

    def turn_to(self, facing: str) -> Counter:
        """Return the counter turned to a hexspine (`1` to `6`) or between two (`6/1`); as it is if it can't be.

        Layers tell the facing in the name; the picture is turned by as many steps as the level is from the first.
        """
        made, step = self, None
        for place, trait in enumerate(self.traits):
            matching = [number for number, name in enumerate(levels(trait)) if name.endswith(f"ca{facing}")]
            if matching:
                made, step = made.with_state(place, str(matching[0] + 1)), (matching[0], len(levels(trait)))
        for place, trait in enumerate(self.traits):
            if step and trait.id == "rotate" and trait.field(1) == str(step[1]):
                made = made.with_state(place, str(step[0]))
        return made

    def on_level(self, name: str) -> Counter | None:
        """Return the counter with the layer that has a level of this name turned to it; None if none has."""
        for place, trait in enumerate(self.traits):
            if name in levels(trait):
                return self.with_state(place, str(levels(trait).index(name) + 1))
        return None

    def with_label(self, text: str) -> Counter:
        """Return the counter with a text on its first label, and none on its others."""
        places = [place for place, trait in enumerate(self.traits) if trait.id == "label"]
        made = self
        for number, place in enumerate(places):
            made = made.with_state(place, "" if number else text)
        return made

    def with_state(self, place: int, state: str) -> Counter:
        """Return the counter with another state of one trait."""
        traits = list(self.traits)
        traits[place] = replace(traits[place], state=state)
        return Counter(tuple(traits))

    def command(self, number: str, on: str, x: int, y: int) -> str:
        """Return the command that adds the counter under a number, to a map, at a pixel."""
        *outer, basic = self.traits
        old = decode(basic.state, ";")
        state = encode((on, str(x), str(y), *(old[3:] or [""])), ";")
        types = fold([trait.type for trait in self.traits], TAB)
        return encode(("+", number, types, fold([*(trait.state for trait in outer), state], TAB)), "/")


def stack_command(number: str, on: str, x: int, y: int, pieces: Sequence[str]) -> str:
    """Return the command that adds a stack of pieces, by their numbers from the bottom up."""
    return encode(("+", number, "stack", encode((on, str(x), str(y), *pieces), ";")), "/")


def levels(trait: PieceTrait) -> list[str]:
    """Return the names of a layer's levels; none of another trait."""
    return decode(trait.field(_LEVELS), ",") if trait.id == "emb2" else []


def _levels_to_try(trait: PieceTrait, wanted: str) -> Iterator[int]:
    """Yield the levels that a layer can be turned to for a name: its present one turned on, then all.

    Levels without words, or with words that the wanted name doesn't have, are left out.
    """
    current = parse_whole(trait.state.partition(";")[0]) or 0
    names = levels(trait)
    order = [-current] if current < 0 else []
    for level in [*order, *(level for level in range(1, len(names) + 1) if level != abs(current))]:
        words = [word for word in decode(names[level - 1], "+") if word] if level <= len(names) else []
        if words and all(word in wanted for word in words):
            yield level


class CounterMaker:
    """Makes counters of a module's slots; each slot is parsed once."""

    def __init__(self, module: VaslModule, mover: str) -> None:
        self.module, self.mover = module, mover
        self._counters: dict[tuple[str, str, str], Counter] = {}
        self._work = WorkLimit(MAX_MADE)
        self._tries = WorkLimit(MAX_TRIES)

    def with_face(self, counter: Counter, wanted: str) -> Counter | None:
        """Return a counter with this face; None if it has none. Raises DataError if too much had to be tried."""
        return counter.with_face(wanted, self._tries)

    def counter(self, slot: Slot) -> Counter:
        """Return the counter of a slot as it comes. Raises DataError if its definition is none."""
        key = (slot.gpid, slot.palette, slot.name)
        if key not in self._counters:
            self._counters[key] = self._make(slot)
        return self._counters[key]

    def _make(self, slot: Slot) -> Counter:
        work = WorkLimit(MAX_EXPANDED)
        try:
            pairs = list(self._expand(parse_definition(slot.text, work), 0, work))
            self._work.spend(MAX_EXPANDED - work.left)
        except DataError as err:
            problems = [Problem(f"counter {slot.name!a} {problem.what}", problem.right) for problem in err.problems]
            raise DataError(problems) from None
        return Counter(
            tuple(self._without_developers(PieceTrait(kind.partition(";")[0], kind, state)) for kind, state in pairs)
        )

    def _expand(self, definition: Definition, inside: int, work: WorkLimit) -> Iterator[tuple[str, str]]:
        """Yield type and state of each trait, those of prototypes in their place; comments are left out."""
        if inside > MAX_INSIDE:
            raise DataError([Problem("has prototypes inside prototypes without end")])
        count = 0
        for kind, state in zip(definition.types, definition.states, strict=True):
            work.spend(len(kind) + len(state))
            if kind.startswith("prototype;"):
                pairs = list(self._expand_prototype(decode(kind, ";"), inside, work))
            else:
                pairs = [] if kind.startswith("cmt;") else [(kind, state)]
            count += len(pairs)
            if count > MAX_TRAITS:
                raise DataError([Problem("has too many traits", f"{MAX_TRAITS} at most")])
            yield from pairs

    def _expand_prototype(self, fields: Sequence[str], inside: int, work: WorkLimit) -> Iterator[tuple[str, str]]:
        name = fields[1] if len(fields) > 1 else ""
        text = self.module.prototypes.get(name)
        if text is None:
            return
        given = [field.partition("=") for field in decode(fields[2], ",")] if len(fields) > 2 and fields[2] else []
        for key, equals, value in given:
            if equals:
                work.spend(len(text) + text.count(f"${key}$") * len(value))
                text = text.replace(f"${key}$", value)
        definition = parse_definition(text, work) if given else self.module.defined[name]
        # The prototype's own basic piece, the last, is none of the counter's.
        yield from list(self._expand(definition, inside + 1, work))[:-1]

    def _without_developers(self, trait: PieceTrait) -> PieceTrait:
        """Return a trait without the module's developers: their names, and the ids that are passwords."""
        if trait.id == "concealment":
            fields = [*trait.fields, *[""] * (2 - len(trait.fields))]
            return PieceTrait(trait.id, encode((fields[0], NOBODY, *fields[2:]), ";"), trait.state)
        if trait.id == "PROP" and trait.field(1) == "Owner":
            return replace(trait, state=self.mover)
        if trait.id == "hide":
            return replace(trait, state=NOBODY)
        if trait.id == "conceal":
            return replace(trait, state=f"{NOBODY};")
        if trait.id == "moved":
            return replace(trait, state="false")
        return trait


def named_slots(slots: Collection[Slot], maker: CounterMaker, wanted: str) -> list[tuple[Slot, Counter]]:
    """Return the slots that have a name as they come, with their counters; if none has, those that can take it."""
    made: Mapping[Slot, Counter] = {slot: maker.counter(slot) for slot in slots}
    as_they_come = [(slot, counter) for slot, counter in made.items() if wanted in (counter.name, counter.naming.unit)]
    if as_they_come:
        return as_they_come
    able = ((slot, maker.with_face(counter, wanted)) for slot, counter in made.items())
    return [(slot, counter) for slot, counter in able if counter is not None]
