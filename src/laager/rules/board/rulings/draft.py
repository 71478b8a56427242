"""A ruling on its way from a file to facts: each fact is seen by what comes after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from laager.base import Problem, did_you_mean
from laager.base.files import Document, Where
from laager.campaign import UMPIRE, Fact
from laager.campaign.facts import may_see
from laager.rules.board.context import CardContext
from laager.rules.board.rulings.files import Signed

WHY = "a ruling"
"""The reason of every fact of a ruling; its own reason stands above them, once."""


@dataclass
class RulingDraft:
    """The facts of a ruling so far, and what is wrong with it.

    `seen` is the campaign as the proposer knows it: what is wrong, and what becomes a fact, follows from it alone.
    `whole` has all that there is; new units and fortifications get the next of its numbers.
    """

    document: Document
    whole: CardContext
    seen: CardContext
    by: str
    came: frozenset[str] = frozenset()
    """Units, fortifications and groups that came in the step under way, as far as the proposer knows them."""
    facts: list[Fact] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def take(self, facts: Iterable[Fact]) -> None:
        """Add facts one by one, so that a procedure sees what it has changed."""
        for fact in facts:
            self.facts.append(fact)
            self.whole.state = fact.apply(self.whole.state)
            if may_see(fact.to, self.by):
                self.seen.state = fact.apply(self.seen.state)

    def refuse(self, where: Where, wrong: str, right: str = "") -> None:
        """Note a problem with a part of the file."""
        self.problems.append(self.document.problem(where, wrong, right))

    def refuse_unknown(self, where: Where, name: str, key: str, kind: str, known: Iterable[str]) -> None:
        """Note that the record, as the step under way began with it, has no such unit, fortification or group."""
        if key in self.came:
            right = "reopen the answer by which it came, or rule when the step is over"
            self.refuse(where, f"{name} came in the step that is under way", right)
        else:
            self.refuse(where, f"there is no {kind} {name}", did_you_mean(key, known))

    def may_add_to(self, side: str, where: Where) -> bool:
        """True if the proposer can add to a side's record: its own, or any as the umpire. Else it's a problem."""
        if self.by in (UMPIRE, side):
            return True
        self.refuse(where, "this is the enemy's record", "its own side, or the umpire, can add to it")
        return False


def signed_change(lines: Signed, now: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return what a list of a ruling adds to what holds now, and what it takes away."""
    held = frozenset(now)
    if lines and all(line.startswith(("+", "-")) for line in lines):
        adding = frozenset(line[1:].strip() for line in lines if line.startswith("+"))
        removing = frozenset(line[1:].strip() for line in lines if line.startswith("-"))
    else:
        adding, removing = frozenset(lines), held - frozenset(lines)
    return adding - held, removing & held
