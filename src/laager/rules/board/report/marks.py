"""Markers in a battle report: which fit which units, and which can't be together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from laager.base import Problem
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, SMC, VEHICLES
from laager.rules.board.units import HIDING, Mark

WEAPONS = frozenset({"sw", "gun"})
ANYTHING = INFANTRY | WEAPONS | VEHICLES
ON_TARGET = INFANTRY | VEHICLES | {"gun"}

FITS: Mapping[Mark, frozenset[str]] = {
    Mark.BROKEN: MMC | LEADERS,
    Mark.DM: MMC | LEADERS,
    Mark.DISRUPTED: MMC | LEADERS,
    Mark.PIN: INFANTRY,
    Mark.TI: INFANTRY,
    Mark.CX: INFANTRY,
    Mark.BERSERK: MMC | LEADERS,
    Mark.FANATIC: INFANTRY,
    Mark.WOUNDED: SMC,
    Mark.HEROIC: LEADERS,
    Mark.ENCIRCLED: INFANTRY | VEHICLES,
    Mark.CONCEALED: ANYTHING,
    Mark.HIP: ANYTHING,
    Mark.CLOAKED: ANYTHING,
    Mark.PRISONER: INFANTRY,
    Mark.UNGUARDED: INFANTRY,
    Mark.CLIMBING: INFANTRY,
    Mark.MELEE: INFANTRY | VEHICLES,
    Mark.TANK_HUNTER: MMC | {"hero"},
    Mark.MALFUNCTIONED: WEAPONS | VEHICLES,
    Mark.DISABLED: WEAPONS | VEHICLES,
    Mark.LOW_AMMO: WEAPONS | VEHICLES,
    Mark.DISMANTLED: WEAPONS,
    Mark.MOTION: VEHICLES,
    Mark.BUTTONED_UP: VEHICLES,
    Mark.CREW_EXPOSED: VEHICLES,
    Mark.HULL_DOWN: VEHICLES,
    Mark.STUN: VEHICLES | {"crew"},
    Mark.SHOCK: frozenset({"afv"}),
    Mark.UNKNOWN: frozenset({"afv"}),
    Mark.BOGGED: VEHICLES,
    Mark.MIRED: VEHICLES,
    Mark.IMMOBILIZED: VEHICLES,
    Mark.ABANDONED: VEHICLES,
    Mark.MA_MALFUNCTIONED: VEHICLES,
    Mark.MA_DISABLED: VEHICLES,
    Mark.MINEFIELD: VEHICLES,
    Mark.INEXPERIENCED: MMC | VEHICLES,
    Mark.RECALL: VEHICLES,
    Mark.ACQUIRED: ON_TARGET,
    Mark.WRECK: VEHICLES,
    Mark.BURNING: VEHICLES,
    Mark.BURNT_OUT: VEHICLES,
}
"""Markers that players report, and the kinds of units that can carry them.

On a vehicle, malfunctioned and disabled are about a weapon other than its MA. Inexperienced is a
crew or unit whose type doesn't say so by itself.
"""

LASTING = frozenset(Mark) - frozenset(FITS)
"""What the record keeps of a unit by itself: its qualities, and markers of the campaign."""

WRECKAGE = frozenset({Mark.WRECK, Mark.BURNING, Mark.BURNT_OUT})
"""All that an eliminated vehicle can still carry (PL CG5)."""

IMMOBILE = frozenset({Mark.BOGGED, Mark.MIRED, Mark.IMMOBILIZED, Mark.ABANDONED})
"""With these a vehicle does not move."""

NOT_GOOD_ORDER = frozenset({Mark.BROKEN, Mark.DM, Mark.DISRUPTED, Mark.BERSERK, Mark.MELEE, Mark.PRISONER})
"""With these personnel are not in Good Order (PL CG8)."""

TRAVELS = frozenset(
    {
        Mark.WOUNDED, Mark.HEROIC, Mark.FANATIC, Mark.STUN, Mark.MALFUNCTIONED, Mark.DISABLED,
        Mark.LOW_AMMO, Mark.DISMANTLED, Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED,
        Mark.INEXPERIENCED,
    }
)  # fmt: skip
"""What a unit keeps when it leaves the map; the rest belongs to the place where it stood."""

NEEDS: Mapping[Mark, Mark] = {Mark.DM: Mark.BROKEN, Mark.DISRUPTED: Mark.BROKEN, Mark.UNGUARDED: Mark.PRISONER}
"""Markers that only go on top of another one."""

EXCLUDES: tuple[tuple[Mark, frozenset[Mark]], ...] = (
    (Mark.BROKEN, frozenset({Mark.BERSERK, Mark.PIN, Mark.TANK_HUNTER}) | HIDING),
    (Mark.BERSERK, frozenset({Mark.PIN, Mark.TI, Mark.PRISONER}) | HIDING),
    (Mark.PRISONER, frozenset({Mark.MELEE, Mark.ENCIRCLED, Mark.TANK_HUNTER}) | HIDING),
    (Mark.MELEE, HIDING | {Mark.CLIMBING}),
    (Mark.HIP, frozenset({Mark.CONCEALED, Mark.CLOAKED})),
    (Mark.CONCEALED, frozenset({Mark.CLOAKED})),
    (Mark.MA_MALFUNCTIONED, frozenset({Mark.MA_DISABLED})),
    (Mark.BUTTONED_UP, frozenset({Mark.CREW_EXPOSED})),
    (Mark.MOTION, IMMOBILE),
    (Mark.BOGGED, frozenset({Mark.MIRED})),
    (Mark.MIRED, frozenset({Mark.IMMOBILIZED})),
    (Mark.SHOCK, frozenset({Mark.UNKNOWN})),
    (
        Mark.ABANDONED,
        frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED, Mark.STUN, Mark.SHOCK, Mark.UNKNOWN, Mark.RECALL}),
    ),
    (Mark.BURNING, frozenset({Mark.BURNT_OUT})),
)
"""Markers that can't be on one unit together with any of some others."""


def _exclusions(kind: str) -> Iterator[tuple[Mark, frozenset[Mark]]]:
    yield from EXCLUDES
    # Of a vehicle, these may be two weapons.
    if kind in WEAPONS:
        yield Mark.MALFUNCTIONED, frozenset({Mark.DISABLED})


@cache
def marks_replaced_by(kind: str) -> Mapping[Mark, frozenset[Mark]]:
    """Return, for each marker that fits a kind of unit, those that come off when it is put on: it can't be with them.

    A unit that breaks loses its "?" (A12.14) with the rest that a broken unit can't have.
    """
    replaced: dict[Mark, frozenset[Mark]] = {}
    for mark, others in _exclusions(kind):
        for other in others:
            for first, second in ((mark, other), (other, mark)):
                if kind in FITS[first] and kind in FITS[second]:
                    replaced[first] = replaced.get(first, frozenset()) | {second}
    return replaced


def mark_problems(kind: str, label: str, names: list[str]) -> Iterator[Problem]:
    """Yield what is wrong with the markers of one unit, whatever its fate.

    Markers that do not fit the kind of unit, that need another one, or that exclude each other.
    """
    for mark in map(Mark, names):
        if kind not in FITS[mark]:
            yield Problem(_misfit(kind, label, mark), _who_carries(mark), "marks")
    marks = marks_of(names)
    for mark, base in NEEDS.items():
        if mark in marks and base not in marks:
            yield Problem(f"{label} is marked {mark} but not {base}", f"add {base} too, or drop it", "marks")
    for mark, others in _exclusions(kind):
        for other in sorted(others & marks) if mark in marks else ():
            message = f"{label} can't be both {mark} and {other}"
            yield Problem(message, "keep one of them", "marks")


def marks_of(names: Iterable[str]) -> frozenset[Mark]:
    """Return the markers that a form's words stand for."""
    return frozenset(map(Mark, names))


def _misfit(kind: str, label: str, name: str) -> str:
    article = "an" if kind[0] in "aeiou" or kind == "sw" else "a"
    return f"{label} is {article} {kind_words(kind)} and can't be marked {name}"


def kind_words(kind: str) -> str:
    """Return the name of a kind of unit as a sentence has it."""
    return {"sw": "SW", "gun": "Gun", "afv": "AFV", "armor-leader": "armor leader"}.get(kind, kind)


def _who_carries(mark: Mark) -> str:
    return "it goes on " + ", ".join(kind_words(kind) for kind in sorted(FITS[mark]))
