"""Where the checks of a card put what they find, wrong or doubtful, and the checks that every card has."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from laager.base import OtherEnd, Problem
from laager.base.files import Document, Where
from laager.campaign import Readings
from laager.rules.board.card.parts import CampaignCard, CardGoal


@dataclass
class CardFindings:
    """Collects problems and warnings of one document, each with its line."""

    document: Document
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add_problem(self, where: Where, message: str, right: str = "", other: OtherEnd | None = None) -> None:
        """Note a problem: the card can't be played as it is. `other` is where it can be mended as well."""
        self.problems.append(replace(self.document.problem(where, message, right), other=other))

    def end_at(self, *where: str | int) -> OtherEnd:
        """Return a place of the document as the other end of a problem."""
        problem = self.document.problem(where, "")
        return OtherEnd(problem.file, problem.field)

    def map_end(self) -> OtherEnd | None:
        """Return where a card names its map; None for other documents."""
        return self.end_at("map") if isinstance(self.document.data, Mapping) and "map" in self.document.data else None

    def nation_end(self, where: Where) -> OtherEnd | None:
        """Return where a card names the nation of the side to which a place belongs; None for other documents."""
        return self.end_at("sides", where[1], "nation") if where[0] == "sides" else None

    def add_doubt(self, where: Where, message: str, right: str = "", other: OtherEnd | None = None) -> None:
        """Note a warning: the card can be played, but may not mean what it says."""
        self.warnings.append(replace(self.document.problem(where, message, right), other=other))

    def check_repeats(self, where: Where, names: Sequence[str], right: str = "name it once") -> None:
        """Note a problem for each name in a list that stands there before."""
        for i, name in enumerate(names):
            if name in names[:i]:
                self.add_problem((*where, i), f"{name} is there twice", right)


def check_count(where: Where, goal: CardGoal, findings: CardFindings) -> None:
    """Note a problem if a side must Control more places than its goal names."""
    if goal.count is not None and goal.count > len(goal.controls):
        number = len(goal.controls)
        message = f"{goal.count} of {number} places can't be"
        end = findings.end_at(*where, "controls")
        findings.add_problem((*where, "count"), message, "name more, or ask for fewer", end)


WAR = (date(1936, 7, 1), date(1945, 12, 31))
"""From the Spanish Civil War, which PL 1.4 names, to the end of the war."""


def check_day(day: date, where: Where, findings: CardFindings) -> None:
    """Doubt a day outside the war."""
    if not WAR[0] <= day <= WAR[1]:
        findings.add_doubt(where, f"{day} is not in the war", f"between {WAR[0].year} and {WAR[1].year}")


def check_game_end(circled: Mapping[int, int], where: Where, findings: CardFindings) -> None:
    """Doubt Game End numbers that fall: a battle ends more easily the longer it lasts."""
    for (turn, number), (later, next_number) in itertools.pairwise(sorted(circled.items())):
        if next_number < number:
            message = f"turn {later} has {next_number}, less than turn {turn} ({number})"
            findings.add_doubt((*where, str(later)), message, "it ends more easily every turn")


def check_choices(card: CampaignCard, package: str, findings: CardFindings) -> None:
    """Check the readings and the balance provisions of a card."""
    for problem in Readings.load_packaged(package).check(card.readings):
        findings.add_problem(tuple(problem.field.split(".")), problem.what, problem.right)
    counts = Counter(item.id for item in card.balance)
    for i, item in enumerate(card.balance):
        if counts[item.id] > 1:
            message = f"there are {counts[item.id]} balance provisions {item.id!r}"
            findings.add_problem(("balance", i, "id"), message, "give each its own id")


def in_file_order(problems: list[Problem]) -> tuple[Problem, ...]:
    """Return problems without repetitions, those of one file by line."""
    files = list(dict.fromkeys(problem.file for problem in problems))
    unique = list(dict.fromkeys(problems))
    return tuple(sorted(unique, key=lambda p: (files.index(p.file), p.line or 0, p.field)))
