"""Where the checks of a card put what they find: what is wrong, and what is only doubtful."""

from __future__ import annotations

from dataclasses import dataclass, field

from laager.base import Problem
from laager.base.files import Document, Where


@dataclass
class Findings:
    """Collects problems and warnings of one document, each with its line."""

    document: Document
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def wrong(self, where: Where, what: str, right: str = "") -> None:
        """Note a problem: the card can't be played as it is."""
        self.problems.append(self.document.problem(where, what, right))

    def doubtful(self, where: Where, what: str, right: str = "") -> None:
        """Note a warning: the card can be played, but may not mean what it says."""
        self.warnings.append(self.document.problem(where, what, right))


def in_file_order(problems: list[Problem]) -> tuple[Problem, ...]:
    """Return problems without repetitions, those of one file by line."""
    files = list(dict.fromkeys(problem.file for problem in problems))
    unique = list(dict.fromkeys(problems))
    return tuple(sorted(unique, key=lambda p: (files.index(p.file), p.line or 0, p.field)))
