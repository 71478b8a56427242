"""What a side has before it while a battle is played: how things stand, when play ends, who enters, its OBA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import Sheet
from laager.dice import Dice, Modifier, distribution
from laager.rules.board.context import CardContext
from laager.rules.board.course.game_end import GameEndPlay, PlayerTurn
from laager.rules.board.sheets.records import Row, count_types, make_sheet, sees_secrets
from laager.rules.board.units import Unit

KEY = "battle-sheet"
"""Under this key rulesets put before a side what it needs in the battle; nothing while none is fought."""

NUMBERS = ("ELR", "SAN", "CVP", "CVP total", "Total", "TVP", "TVP total", "Amm. Shortage")
"""The columns of a CG Roster that count in a battle."""


@dataclass(frozen=True)
class BattleSheets:
    """A battle as a side knows it.

    `standing` says in pairs of title and text what it is; `rosters` are the CG Rosters of both sides; `entering` are
    the side's units off the map with how they come (`where`, `units`); `batteries` its OBA: name, what it fires
    with, what is drawn from.
    """

    cg: CardContext
    side: str
    standing: Iterable[tuple[str, str]]
    rosters: Mapping[str, Sheet]
    end: GameEndPlay
    entering: Mapping[str, list[Unit]]
    batteries: Iterable[Row]

    def sheets(self) -> tuple[Sheet, ...]:
        """Return the sheets of the battle; none for viewers from whom the side's units are secret."""
        if not sees_secrets(self.cg.state, self.side):
            return ()
        boards = ", ".join(dict.fromkeys(picture.file for picture in self.cg.map.pictures))
        standing = [*self.standing, ("Boards", boards)]
        entering = ((count_types(units), ", ".join(sorted(_groups(units))), how) for how, units in self._arrivals())
        return (
            make_sheet("battle-standing", "The battle", ("", ""), [row for row in standing if row[1]], (), self.side),
            self._numbers(),
            end_of_play(self.cg, self.end),
            make_sheet("battle-entering", "Off the map", ("Units", "Group", "How they come"), entering, (), self.side),
            make_sheet("battle-oba", "OBA modules", ("Module", "By", "Ammunition"), self.batteries, (), self.side),
        )

    def _arrivals(self) -> Iterator[tuple[str, list[Unit]]]:
        for how, units in self.entering.items():
            if units:
                yield how, units

    def _numbers(self) -> Sheet:
        """Return the last line of each side's CG Roster, as far as it counts in a battle."""
        heads = [column.title for column in next(iter(self.rosters.values())).columns]
        kept = [place for place, head in enumerate(heads) if head in NUMBERS]
        rows = (
            (self.cg.side(side).name, *(roster.rows[-1][place] for place in kept))
            for side, roster in self.rosters.items()
        )
        return make_sheet("battle-numbers", "Both sides", ("Side", *(heads[place] for place in kept)), rows)


def _groups(units: Iterable[Unit]) -> set[str]:
    return {unit.group for unit in units if unit.group}


def group_by_way(units: Iterable[Unit], how: Iterable[str]) -> dict[str, list[Unit]]:
    """Return units by how each of them comes, in the order in which the ways come first."""
    ways: dict[str, list[Unit]] = {}
    for unit, way in zip(units, how, strict=True):
        ways.setdefault(way, []).append(unit)
    return ways


def end_of_play(cg: CardContext, end: GameEndPlay) -> Sheet:
    """Return each Game End dr to come: its number, its drm, how likely it ends play, and that play has ended by then.

    Nothing is known of drs that players make at the table: the chances are those before the first.
    """
    rows, going = [], Fraction(1)
    last = max(end.numbers, default=0)
    at = end.next_due()
    while at.turn <= last:
        modifiers = tuple(end.modifiers(at))
        chance = chance_to_end(end, at, modifiers)
        going *= 1 - chance
        drm = ", ".join(f"{modifier.value:+d} {modifier.reason}" for modifier in modifiers)
        name = f"turn {at.turn}, {cg.side(at.side).name}"
        rows.append((name, str(end.circled_number(at.turn)), drm, _percent(chance), _percent(1 - going)))
        at = end.next_due(at)
    heads = ("After", "Ends at most on", "drm", "This dr", "Over by then")
    notes = (f"From then on the number stays {end.circled_number(last)}.",) if rows else ("No number is circled.",)
    return make_sheet("battle-end", "Game End", heads, rows, notes)


def chance_to_end(end: GameEndPlay, at: PlayerTurn, modifiers: Iterable[Modifier]) -> Fraction:
    """Return how likely the Game End dr after a Player Turn ends play."""
    number = end.circled_number(at.turn)
    return Fraction(0) if number is None else distribution(Dice.dr, sum(m.value for m in modifiers)).at_most(number)


def _percent(chance: Fraction) -> str:
    return f"{float(100 * chance):.0f} %"
