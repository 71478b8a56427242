"""The catalogue's types of VASL's counters, and the state of units by their counters.

Names decide, never the number of a palette slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from laager.catalogue import Nation
from laager.rules.board.changes import VEHICLES
from laager.rules.board.report.marks import FITS, LASTING
from laager.rules.board.units import HIDING, Mark, Unit
from laager.vasl.saves.counters import CounterKind, status_by_marker, without_status
from laager.vasl.saves.game import Piece

_MMC = re.compile(r"([0-9]+-\(?[0-9]+\)?-[0-9]+)\s*(.*)")
_SMC = re.compile(r"((?:10|[6-9])[-+][0-9])( AL)?")
_WRECK = re.compile(r"(.*?)\s*Wreck( VBM|[0-9]*)")
_LAST_BRACKET = re.compile(r"\s*\([^()]*\)$")
_SIZES = (("hs", "half-squad"), ("sq", "squad"), ("cr", "crew"))
_ELSE = re.compile(r"[^a-z0-9*/+()-]")
STRIPED = "str "
"""VASL's word before the name of a squad that has taken a step loss (Japanese, G1.11)."""
REDUCED = " reduced"
STEP_LOSSES: Mapping[str, str] = {"2-4-7": "2-3-7", "2-3-6": "2-2-6"}
"""The factors that VASL prints on a squad with a stripe, where they aren't the catalogue's."""
HEROES = frozenset({"Hero", "T-H Hero"})


@dataclass(frozen=True)
class CounterType:
    """Type and kind of a counter in the catalogue.

    `loose`: the names agree but for an addition in brackets.
    """

    type: str
    kind: str
    loose: bool = False


def spelling_key(name: str) -> str:
    """Return the name of a weapon or vehicle in a form that is the same for all spellings."""
    return _ELSE.sub("", name.lower().replace("pzkw ", "pz"))


def identify(piece: Piece, nation: Nation) -> CounterType | None:
    """Return the type of a counter in a nation's catalogue; None if the nation has no such type."""
    if piece.kind is CounterKind.MMC:
        return _identify_mmc(without_status(piece.unit), nation)
    if piece.kind is CounterKind.SMC:
        return _identify_smc(piece, nation)
    if piece.kind is CounterKind.WRECK:
        match = _WRECK.fullmatch(without_status(piece.unit)) or _WRECK.fullmatch(piece.basic)
        return _identify_thing([match[1]], nation.vehicles) if match else None
    parts: Mapping[str, object] = {
        CounterKind.SW: nation.support_weapons,
        CounterKind.GUN: nation.guns,
        CounterKind.VEHICLE: nation.vehicles,
    }.get(piece.kind, {})
    return _identify_thing(
        (piece.unit, _without_malfunction(piece.unit), without_status(piece.unit), piece.basic), parts
    )


def _without_malfunction(name: str) -> str:
    """Return a name without the word for malfunction: the rest may belong to the name."""
    for word in ("malf ", "Malf "):
        name = name.removeprefix(word)
    return name


def _identify_mmc(name: str, nation: Nation) -> CounterType | None:
    striped = name.startswith(STRIPED)
    match = _MMC.fullmatch(name.removeprefix(STRIPED))
    if match is None:
        return None
    type_ = match[1].replace("(", "").replace(")", "")
    size = next((kind for end, kind in _SIZES if re.search(rf"{end}\b", match[2], re.I)), None)
    # Where two kinds have the same factors the catalogue tells them apart by a word.
    # A stripe alone tells which: other squads have the same factors.
    worn = [
        f"{factors}{REDUCED}" for factors in (type_, *(ours for ours, theirs in STEP_LOSSES.items() if theirs == type_))
    ]
    for text in worn if striped else (match[1], type_, f"{type_} crew", *worn[:1]):
        known = nation.mmc.get(text)
        if known is not None and size in (None, known.kind.value):
            return CounterType(known.type, known.kind.value)
    return None


def _identify_smc(piece: Piece, nation: Nation) -> CounterType | None:
    name = without_status(piece.unit)
    hero = nation.leaders.hero
    if name in HEROES and hero is not None:
        return CounterType(hero, "hero")
    match = _SMC.fullmatch(name) or _SMC.fullmatch(piece.basic)
    if match is None:
        return None
    if match[2]:
        return CounterType(match[1], "armor-leader") if match[1] in nation.leaders.armor else None
    commissar = piece.basic.endswith("COM")
    ladder = nation.leaders.commissars if commissar else nation.leaders.types
    if match[1] not in ladder:
        return None
    return CounterType(match[1], nation.unit(match[1]).kind.value)


def _identify_thing(names: Iterable[str], types: Mapping[str, object]) -> CounterType | None:
    """Return the type that one of some names means: spelt so, or so but for an addition."""
    names = list(dict.fromkeys(names))
    for spelling in (spelling_key, _key_without_brackets):
        spelt: dict[str, set[str]] = {}
        for type_ in types:
            spelt.setdefault(spelling(type_), set()).add(type_)
        for name in names:
            matches = spelt.get(spelling(name), set())
            if len(matches) == 1:
                (type_,) = matches
                return CounterType(type_, _kind(types[type_]))
    for name in names:
        near = {type_ for type_ in types if _but_for_an_addition(name, type_)}
        if near:
            type_ = max(near, key=len)
            return CounterType(type_, _kind(types[type_]), loose=True)
    return None


def _key_without_brackets(name: str) -> str:
    """Return a name as `same` does, without brackets and strokes."""
    return re.sub("[()-]", "", spelling_key(name))


def _but_for_an_addition(name: str, type_: str) -> bool:
    """True if one of two names is the other with words or a bracket behind it."""
    short, long = sorted((name, type_), key=len)
    return spelling_key(_LAST_BRACKET.sub("", long)) == spelling_key(short) or long.startswith(f"{short} ")


def _kind(type_: object) -> str:
    return str(getattr(type_, "kind").value)  # noqa: B009 - any of the catalogue's types


def possible_changes(nation: Nation, type_: str, kind: str) -> Mapping[str, str]:
    """Return the types that a unit can have become in play, each with the word for the change."""
    word_by_type: dict[str, str] = {}

    def add(changed_type: str | None, how: str) -> None:
        if changed_type is not None and changed_type in nation and changed_type != type_:
            word_by_type.setdefault(changed_type, how)

    if kind in ("squad", "half-squad"):
        add(nation.reduced_type(type_), "Reduced")
        add(nation.replaced_type(type_), "Replaced")
        add(nation.hardened_type(type_), "Battle Hardened")
        add(nation.recombined_type(type_), "Recombined")
        lower = nation.replaced_type(type_)
        if lower in nation.mmc:
            add(nation.reduced_type(lower or ""), "Replaced and Reduced")
    elif kind in ("leader", "commissar"):
        add(nation.leader_down(type_), "Replaced")
        add(nation.leader_up(type_), "Battle Hardened")
    elif kind == "armor-leader":
        add(nation.leader_up(type_, armor=True), "Battle Hardened")
    return word_by_type


_SAME_WORD = (
    *(Mark.BROKEN, Mark.DISRUPTED, Mark.BERSERK, Mark.FANATIC, Mark.WOUNDED, Mark.HEROIC, Mark.ENCIRCLED),
    *(Mark.PRISONER, Mark.MELEE, Mark.MALFUNCTIONED, Mark.DISMANTLED, Mark.MOTION, Mark.SHOCK, Mark.BOGGED),
    *(Mark.MIRED, Mark.ABANDONED, Mark.RECALL, Mark.DISABLED),
)
STATUS: Mapping[str, Mark] = {
    **{mark.value: mark for mark in _SAME_WORD},
    "DM": Mark.DM,
    "pinned": Mark.PIN,
    "TI": Mark.TI,
    "CX": Mark.CX,
    "low ammo": Mark.LOW_AMMO,
    "buttoned up": Mark.BUTTONED_UP,
    "crew exposed": Mark.CREW_EXPOSED,
    "hull down": Mark.HULL_DOWN,
    "stunned": Mark.STUN,
    "unconfirmed kill": Mark.UNKNOWN,
    "immobilised": Mark.IMMOBILIZED,
}
"""Markers of a report by VASL's words."""

STAYS = frozenset({Mark.FANATIC, Mark.WOUNDED, Mark.HEROIC, Mark.TANK_HUNTER, Mark.INEXPERIENCED})
"""Never lost in play: kept if the record has it and the save shows no counter."""

MENDS = frozenset(
    (
        *(Mark.MALFUNCTIONED, Mark.DISABLED, Mark.LOW_AMMO, Mark.IMMOBILIZED, Mark.ABANDONED),
        *(Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED),
    )
)
"""Markers that become a question if the record has them and the save shows no counter."""

_MAIN_ARMAMENT = frozenset({"MA Malf", "Gun Malf"})


@dataclass(frozen=True)
class State:
    """A unit's markers by the save.

    `perhaps` may be about it or about a unit above it; `kept` are the record's, which the save does
    not show; `asked` are the record's of which it must be asked; `left_out` is what the report
    does not ask for.
    """

    marks: frozenset[Mark]
    perhaps: tuple[Mark, ...] = ()
    kept: frozenset[Mark] = frozenset()
    asked: tuple[Mark, ...] = ()
    left_out: tuple[str, ...] = ()

    def words(self, *more: Mark) -> list[str]:
        """Return the markers as a row of a report has them."""
        all_ = {*self.marks, *self.kept, *more}
        return [mark.value for mark in Mark if mark in all_ - LASTING]


def state_of(piece: Piece, kind: str, unit: Unit | None, stack: Sequence[Piece]) -> State:
    """Return the state of a piece that is a unit of this kind (`unit`, if it is on the record)."""
    marks, left_out = _fitting_marks(piece.status, kind)
    marks |= _concealment(piece, stack)
    if Mark.DISRUPTED in marks or Mark.DM in marks:
        marks |= {Mark.BROKEN}
    if Mark.MALFUNCTIONED in marks and kind in VEHICLES:
        marks = marks - {Mark.MALFUNCTIONED} | _armament(piece, stack)
    recorded = unit.marks if unit is not None else frozenset[Mark]()
    for worse, bad in ((Mark.DISABLED, Mark.MALFUNCTIONED), (Mark.MA_DISABLED, Mark.MA_MALFUNCTIONED)):
        # VASL has one face for both, and nobody repairs in play what is disabled.
        if worse in recorded and bad in marks:
            marks = marks - {bad} | {worse}
    maybe, _ = _fitting_marks(piece.perhaps, kind)
    if Mark.MELEE in maybe:
        # A unit in the Location of a Melee is in the Melee (A11.15).
        marks |= {Mark.MELEE}
    if Mark.MELEE in marks:
        marks -= HIDING
    kept = frozenset(recorded & STAYS - marks)
    asked = recorded & MENDS - marks
    if Mark.PRISONER in recorded and Mark.PRISONER not in marks:
        asked |= {Mark.PRISONER}
    return State(
        marks=frozenset(marks),
        perhaps=tuple(mark for mark in Mark if mark in maybe - marks - kept),
        kept=kept,
        asked=tuple(mark for mark in Mark if mark in asked),
        left_out=left_out,
    )


def _fitting_marks(words: Iterable[str], kind: str) -> tuple[frozenset[Mark], tuple[str, ...]]:
    """Return the markers that fit a kind of unit, and the words that are left out."""
    marks: set[Mark] = set()
    rest: list[str] = []
    for word in words:
        mark = STATUS.get(word)
        if mark is not None and kind in FITS[mark]:
            marks.add(mark)
        else:
            rest.append(word)
    return frozenset(marks), tuple(rest)


def _concealment(piece: Piece, stack: Sequence[Piece]) -> frozenset[Mark]:
    above = [other.kind for other in stack if other.height > piece.height]
    if CounterKind.CLOAK in above:
        return frozenset({Mark.CLOAKED})
    if piece.hidden_by is not None:
        return frozenset({Mark.HIP})
    if piece.concealed_by is not None or CounterKind.CONCEALMENT in above:
        return frozenset({Mark.CONCEALED})
    return frozenset()


def _armament(piece: Piece, stack: Sequence[Piece]) -> frozenset[Mark]:
    """Return the malfunctions on a vehicle by its counters: its MA, other weapons, both."""
    above = [counter.unit for counter in stack if counter.height > piece.height]
    malfunctioned = [name for name in above if status_by_marker().get(name) == "malfunctioned"]
    marks = {Mark.MA_MALFUNCTIONED if name in _MAIN_ARMAMENT else Mark.MALFUNCTIONED for name in malfunctioned}
    return frozenset(marks or {Mark.MALFUNCTIONED})
