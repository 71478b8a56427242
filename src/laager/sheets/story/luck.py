"""Dice after the fact: how often each result came, against how often it should, and rolls of note with their odds.

All odds are exact: whole numbers of ways. Sigmas are the one figure with a root in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.campaign.rolls import rolled_of
from laager.campaign.table_dice import TableRoll, recorded_rolls
from laager.campaign.telling import Told, log_in_words
from laager.campaign.views import View
from laager.dice import Dice, Rolled, distribution
from laager.sheets.story.battles import Battle

RARE = Fraction(1, 12)
"""A roll is of note if dice show as little, or as much, at most so often: 2, 3, 11 and 12 of a DR."""

MOST_NOTED = 6
"""Most rolls of a battle that its story tells."""


@dataclass(frozen=True)
class Tally:
    """Rolls of one kind that somebody made: how often each Original result came."""

    who: str
    dice: Dice
    counts: Mapping[int, int]

    @property
    def rolls(self) -> int:
        """How many rolls there were."""
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        """The sum of all results."""
        return sum(value * times for value, times in self.counts.items())

    @property
    def mean(self) -> Fraction:
        """The average result. Raises ZeroDivisionError without rolls."""
        return Fraction(self.total, self.rolls)

    @property
    def expected(self) -> Fraction:
        """The total that fair dice give on average."""
        return self.rolls * distribution(self.dice).mean

    @property
    def variance(self) -> Fraction:
        """The variance of the total of these rolls, were they fair: 35/6 for each DR, 35/12 for each dr."""
        return self.rolls * self.dice.count * Fraction(35, 12)

    @property
    def sigmas(self) -> float:
        """How many standard deviations the total lies above what fair dice give (negative: below); 0 without rolls."""
        return float(self.total - self.expected) / sqrt(self.variance) if self.rolls else 0.0

    def due(self, value: int) -> Fraction:
        """Return how often fair dice would have shown a result."""
        return self.rolls * distribution(self.dice).probability(value)


@dataclass(frozen=True)
class NotableRoll:
    """A roll of note: the viewer's entry, who rolled for what, the dice, and the result ("" if it is not known).

    `ways` of `total` falls of the dice are as low (or, if not `low`, as high) as this one or more so.
    """

    number: int
    side: str
    label: str
    rolled: Rolled
    ways: int
    total: int
    low: bool
    outcome: str = ""


def rolls(seen: View, battle: Battle | None = None) -> Iterator[tuple[int, Entry]]:
    """Yield the rolls that a viewer can see and that count; those of one battle's round if one is named."""
    for line in seen.log:
        if line.counts and line.entry.type == "roll" and (battle is None or battle.prepares(line.number)):
            yield line.number, line.entry


def tallies(seen: View, sides: Iterable[str], battle: Battle | None = None) -> tuple[Tally, ...]:
    """Return the rolls of each side in the campaign (not those on the game board), DR and dr apart."""
    counts: dict[tuple[str, Dice], Counter[int]] = {}
    for _, entry in rolls(seen, battle):
        rolled = rolled_of(entry)
        counts.setdefault((entry.body["side"], rolled.dice), Counter())[rolled.original] += 1
    order = [(side, dice) for side in sides for dice in (Dice.DR, Dice.dr)]
    return tuple(Tally(side, dice, counts[side, dice]) for side, dice in order if (side, dice) in counts)


def rolls_of_note(campaign: Campaign, seen: View, battle: Battle, language: str) -> tuple[NotableRoll, ...]:
    """Return the rolls of note of a battle and its aftermath, the rarest first, in words of a language."""
    lines = log_in_words(campaign, seen, language)
    notable = []
    for number, entry in rolls(seen, battle):
        rolled = rolled_of(entry)
        fair = distribution(rolled.dice)
        below, above = fair.at_most(rolled.original), fair.at_least(rolled.original)
        odds = min(below, above)
        if odds <= RARE:
            ways, total = int(odds * fair.total), fair.total
            outcome = _outcome(lines, number, rolled)
            who, label = entry.body["side"], lines[number - 1].what
            notable.append(NotableRoll(number, who, label, rolled, ways, total, below < above, outcome))
    return tuple(sorted(notable, key=lambda roll: (roll.ways, roll.number))[:MOST_NOTED])


def _outcome(lines: list[Told], number: int, rolled: Rolled) -> str:
    """Return what a roll led to: the next fact of its lane that names its dice as its reason."""
    lane = lines[number - 1].entry.lane
    for line in lines[number:]:
        if line.entry.lane != lane or not line.counts:
            continue
        if line.entry.type != "fact":
            return ""
        if str(rolled) in line.entry.body["fact"].get("why", ""):
            # Why and the rule stand in the tail; the dice are told already.
            return line.text.removesuffix(line.tail).strip()
    return ""


# The dice of the game board ----------------------------------------------------------------------


def table_rolls(seen: View, battle: Battle | None = None) -> tuple[TableRoll, ...]:
    """Return the rolls of VASL's logs that stand with the reports which a viewer can see.

    If both sides gave the log of the same battle, its rolls count once.
    """
    kept: list[tuple[TableRoll, ...]] = []
    for line in seen.log:
        if line.counts and line.entry.type == "answer" and (battle is None or battle.prepares(line.number)):
            given = recorded_rolls(line.entry.body)
            counted = Counter(given)
            if given and not any(counted <= Counter(other) for other in kept):
                kept = [other for other in kept if not Counter(other) <= counted] + [given]
    return tuple(roll for given in kept for roll in given)


def table_tallies(thrown: Iterable[TableRoll]) -> tuple[Tally, ...]:
    """Return what each player rolled on the game board: DR and dr, by name."""
    counts: dict[tuple[str, Dice], Counter[int]] = {}
    for roll in thrown:
        if roll.kind in (Dice.DR.value, Dice.dr.value):
            dice = Dice(roll.kind)
            counts.setdefault((roll.who, dice), Counter())[sum(roll.faces[: dice.count])] += 1
    return tuple(Tally(who, dice, counts[who, dice]) for who, dice in sorted(counts))
