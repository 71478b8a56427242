"""What comes out of matching a save to a campaign: what is certain, and what must be settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from laager.base import DataError, Problem, Refusal, did_you_mean

LEAVE = "leave"
"""The choice that leaves a piece out of the report."""
AS_RECORDED = "as-recorded"
"""The choice that a unit is where and what the record has it."""
NEW = "new"
NOBODY = "nobody"


@dataclass(frozen=True)
class Candidate:
    """One way to settle something: the word for it, and what it means."""

    value: str
    label: str


@dataclass(frozen=True)
class Finding:
    """One thing read from a save.

    `key` is the name under which it is settled; `what` the piece or unit, `where` its Location,
    `why` what speaks for it or makes it doubtful. `taken` is the choice that is in the report now;
    `candidates` all there are, none if only the report itself can be changed.
    """

    key: str
    what: str
    why: str
    where: str = ""
    taken: str = ""
    candidates: tuple[Candidate, ...] = ()

    @property
    def words(self) -> str:
        """The finding as a sentence."""
        where = f" in {self.where}" if self.where else ""
        return f"{self.what}{where}: {self.why}"

    def describe(self) -> dict[str, Any]:
        """Return it as plain values."""
        found: dict[str, Any] = {"key": self.key, "what": self.what, "why": self.why}
        found |= {"where": self.where, "taken": self.taken}
        found["candidates"] = [vars(one) for one in self.candidates]
        return found


@dataclass
class Findings:
    """What is found while a save is gone through; `choices` settle what is doubtful."""

    choices: Mapping[str, str] = field(default_factory=dict)
    certain: list[Finding] = field(default_factory=list)
    to_confirm: list[Finding] = field(default_factory=list)
    unknown: list[Finding] = field(default_factory=list)
    not_found: list[Finding] = field(default_factory=list)
    passed_over: dict[str, int] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    _met: dict[str, tuple[Candidate, ...]] = field(default_factory=dict)

    def sure(self, key: str, what: str, why: str, where: str = "", taken: str = "") -> None:
        """Note what is certain."""
        self.certain.append(Finding(key, what, why, where, taken))

    def ask(
        self,
        into: list[Finding],
        key: str,
        what: str,
        why: str,
        candidates: Iterable[Candidate],
        proposed: str,
        where: str = "",
    ) -> str:
        """Note what must be settled; returns the choice that was made, else what is proposed."""
        options = tuple({one.value: one for one in candidates}.values())
        self._met[key] = options
        chosen = self.choices.get(key)
        if chosen is not None and chosen in {one.value for one in options}:
            label = next(one.label for one in options if one.value == chosen)
            self.sure(key, what, f"as you chose: {label}", where, chosen)
            return chosen
        into.append(Finding(key, what, why, where, proposed, options))
        return proposed

    def pass_over(self, what: str) -> None:
        """Count a piece that the report does not ask for."""
        self.passed_over[what] = self.passed_over.get(what, 0) + 1

    def check_choices(self) -> None:
        """Raise DataError if a choice was made about nothing, or is not one of the candidates."""
        problems = []
        for key, value in self.choices.items():
            if key not in self._met:
                right = did_you_mean(key, self._met, "to be settled are")
                problems.append(Problem(f"nothing called {key[:60]!r} is to be settled", right))
            elif value not in {one.value for one in self._met[key]}:
                known = [one.value for one in self._met[key]]
                what = f"{value[:60]!r} is not one of the choices"
                problems.append(Problem(what, did_you_mean(value, known), key))
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
