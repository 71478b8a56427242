"""What VASL's counters are in the catalogue, and what they tell of a unit's state.

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
from laager.vasl.saves.counters import Kind, status_by_marker, without_status
from laager.vasl.saves.game import Piece

_MMC = re.compile(r"([0-9]+-\(?[0-9]+\)?-[0-9]+)\s*(.*)")
_SMC = re.compile(r"((?:10|[6-9])[-+][0-9])( AL)?")
_WRECK = re.compile(r"(.*?)\s*Wreck( VBM|[0-9]*)")
_LAST_BRACKET = re.compile(r"\s*\([^()]*\)$")
_SIZES = (("hs", "half-squad"), ("sq", "squad"), ("cr", "crew"))
_ELSE = re.compile(r"[^a-z0-9*/+()-]")
STRIPED = "str "
"""What VASL puts before the name of a squad that has taken a step loss (Japanese, G1.11)."""
REDUCED = " reduced"
STEP_LOSSES: Mapping[str, str] = {"2-4-7": "2-3-7", "2-3-6": "2-2-6"}
"""The factors that VASL prints on a squad with a stripe, where they aren't the catalogue's."""
HEROES = frozenset({"Hero", "T-H Hero"})


@dataclass(frozen=True)
class Named:
    """What a counter is: type and kind of the catalogue.

    `loose` says that the names agree but for an addition in brackets.
    """

    type: str
    kind: str
    loose: bool = False


def same(name: str) -> str:
    """Return a name of a weapon or vehicle in a form in which spellings agree."""
    return _ELSE.sub("", name.lower().replace("pzkw ", "pz"))


def named(piece: Piece, nation: Nation) -> Named | None:
    """Return what a counter is in a nation's catalogue; None if the nation has none such."""
    if piece.kind is Kind.MMC:
        return _mmc(without_status(piece.unit), nation)
    if piece.kind is Kind.SMC:
        return _smc(piece, nation)
    if piece.kind is Kind.WRECK:
        found = _WRECK.fullmatch(without_status(piece.unit)) or _WRECK.fullmatch(piece.basic)
        return _thing([found[1]], nation.vehicles) if found else None
    parts: Mapping[str, object] = {
        Kind.SW: nation.support_weapons,
        Kind.GUN: nation.guns,
        Kind.VEHICLE: nation.vehicles,
    }.get(piece.kind, {})
    return _thing((piece.unit, _unbroken(piece.unit), without_status(piece.unit), piece.basic), parts)


def _unbroken(name: str) -> str:
    """Return a name without the word for malfunction: the rest may belong to the name."""
    for word in ("malf ", "Malf "):
        name = name.removeprefix(word)
    return name


def _mmc(name: str, nation: Nation) -> Named | None:
    striped = name.startswith(STRIPED)
    found = _MMC.fullmatch(name.removeprefix(STRIPED))
    if found is None:
        return None
    type_ = found[1].replace("(", "").replace(")", "")
    size = next((kind for end, kind in _SIZES if re.search(rf"{end}\b", found[2], re.I)), None)
    # Where two kinds have the same factors the catalogue tells them apart by a word.
    # A stripe alone tells which: other squads have the same factors.
    worn = [f"{one}{REDUCED}" for one in (type_, *(ours for ours, theirs in STEP_LOSSES.items() if theirs == type_))]
    for text in worn if striped else (found[1], type_, f"{type_} crew", *worn[:1]):
        known = nation.mmc.get(text)
        if known is not None and size in (None, known.kind.value):
            return Named(known.type, known.kind.value)
    return None


def _smc(piece: Piece, nation: Nation) -> Named | None:
    name = without_status(piece.unit)
    hero = nation.leaders.hero
    if name in HEROES and hero is not None:
        return Named(hero, "hero")
    found = _SMC.fullmatch(name) or _SMC.fullmatch(piece.basic)
    if found is None:
        return None
    if found[2]:
        return Named(found[1], "armor-leader") if found[1] in nation.leaders.armor else None
    commissar = piece.basic.endswith("COM")
    ladder = nation.leaders.commissars if commissar else nation.leaders.types
    if found[1] not in ladder:
        return None
    return Named(found[1], nation.unit(found[1]).kind.value)


def _thing(names: Iterable[str], types: Mapping[str, object]) -> Named | None:
    """Return the type that one of some names means: spelt so, or so but for an addition."""
    names = list(dict.fromkeys(names))
    for spelling in (same, _bare):
        spelt: dict[str, set[str]] = {}
        for type_ in types:
            spelt.setdefault(spelling(type_), set()).add(type_)
        for name in names:
            found = spelt.get(spelling(name), set())
            if len(found) == 1:
                (type_,) = found
                return Named(type_, _kind(types[type_]))
    for name in names:
        near = {type_ for type_ in types if _but_for_an_addition(name, type_)}
        if near:
            type_ = max(near, key=len)
            return Named(type_, _kind(types[type_]), loose=True)
    return None


def _bare(name: str) -> str:
    """Return a name as `same` does, without brackets and strokes."""
    return re.sub("[()-]", "", same(name))


def _but_for_an_addition(name: str, type_: str) -> bool:
    """True if one of two names is the other with words or a bracket behind it."""
    short, long = sorted((name, type_), key=len)
    return same(_LAST_BRACKET.sub("", long)) == same(short) or long.startswith(f"{short} ")


def _kind(type_: object) -> str:
    return str(getattr(type_, "kind").value)  # noqa: B009 - any of the catalogue's types


def changes(nation: Nation, type_: str, kind: str) -> Mapping[str, str]:
    """Return what a unit can have become in play, each with the word for how."""
    found: dict[str, str] = {}

    def add(what: str | None, how: str) -> None:
        if what is not None and what in nation and what != type_:
            found.setdefault(what, how)

    if kind in ("squad", "half-squad"):
        add(nation.reduced(type_), "Reduced")
        add(nation.replaced(type_), "Replaced")
        add(nation.hardened(type_), "Battle Hardened")
        add(nation.recombined(type_), "Recombined")
        lower = nation.replaced(type_)
        if lower in nation.mmc:
            add(nation.reduced(lower or ""), "Replaced and Reduced")
    elif kind in ("leader", "commissar"):
        add(nation.leader_down(type_), "Replaced")
        add(nation.leader_up(type_), "Battle Hardened")
    elif kind == "armor-leader":
        add(nation.leader_up(type_, armor=True), "Battle Hardened")
    return found


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
"""What a report asks for of what VASL shows."""

STAYS = frozenset({Mark.FANATIC, Mark.WOUNDED, Mark.HEROIC, Mark.TANK_HUNTER, Mark.INEXPERIENCED})
"""Never lost in play: kept if the record has it and the save shows no counter."""

MENDS = frozenset(
    (
        *(Mark.MALFUNCTIONED, Mark.DISABLED, Mark.LOW_AMMO, Mark.IMMOBILIZED, Mark.ABANDONED),
        *(Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED),
    )
)
"""It is asked whether these are gone if the record has them and the save shows no counter."""

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
    told, left_out = _told(piece.status, kind)
    told |= _concealment(piece, stack)
    if Mark.DISRUPTED in told or Mark.DM in told:
        told |= {Mark.BROKEN}
    if Mark.MALFUNCTIONED in told and kind in VEHICLES:
        told = told - {Mark.MALFUNCTIONED} | _armament(piece, stack)
    recorded = unit.marks if unit is not None else frozenset[Mark]()
    for worse, bad in ((Mark.DISABLED, Mark.MALFUNCTIONED), (Mark.MA_DISABLED, Mark.MA_MALFUNCTIONED)):
        # VASL has one face for both, and nobody repairs in play what is disabled.
        if worse in recorded and bad in told:
            told = told - {bad} | {worse}
    maybe, _ = _told(piece.perhaps, kind)
    if Mark.MELEE in maybe:
        # A unit in the Location of a Melee is in the Melee (A11.15).
        told |= {Mark.MELEE}
    if Mark.MELEE in told:
        told -= HIDING
    kept = frozenset(recorded & STAYS - told)
    asked = recorded & MENDS - told
    if Mark.PRISONER in recorded and Mark.PRISONER not in told:
        asked |= {Mark.PRISONER}
    return State(
        marks=frozenset(told),
        perhaps=tuple(mark for mark in Mark if mark in maybe - told - kept),
        kept=kept,
        asked=tuple(mark for mark in Mark if mark in asked),
        left_out=left_out,
    )


def _told(words: Iterable[str], kind: str) -> tuple[frozenset[Mark], tuple[str, ...]]:
    """Return the markers that fit a kind of unit, and the words that are left out."""
    found: set[Mark] = set()
    rest: list[str] = []
    for word in words:
        mark = STATUS.get(word)
        if mark is not None and kind in FITS[mark]:
            found.add(mark)
        else:
            rest.append(word)
    return frozenset(found), tuple(rest)


def _concealment(piece: Piece, stack: Sequence[Piece]) -> frozenset[Mark]:
    above = [other.kind for other in stack if other.height > piece.height]
    if Kind.CLOAK in above:
        return frozenset({Mark.CLOAKED})
    if piece.hidden_by is not None:
        return frozenset({Mark.HIP})
    if piece.concealed_by is not None or Kind.CONCEALMENT in above:
        return frozenset({Mark.CONCEALED})
    return frozenset()


def _armament(piece: Piece, stack: Sequence[Piece]) -> frozenset[Mark]:
    """Return what the counters on a vehicle say is out of order: its MA, other weapons, both."""
    above = [one.unit for one in stack if one.height > piece.height]
    malfunctioned = [name for name in above if status_by_marker().get(name) == "malfunctioned"]
    found = {Mark.MA_MALFUNCTIONED if name in _MAIN_ARMAMENT else Mark.MALFUNCTIONED for name in malfunctioned}
    return frozenset(found or {Mark.MALFUNCTIONED})
