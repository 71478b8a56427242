"""The results of matching a save to a campaign: certain ones, and those that must be settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from laager.base import DataError, Problem, Refusal, did_you_mean

LEAVE = "leave"
"""The choice that leaves a piece out of the report."""
AS_RECORDED = "as-recorded"
"""The choice that a unit is where and what the record has it."""
NEW = "new"
UPDATER = "VASL 6.7 turns half-squads of an older save into squads when it updates the counters"
NOBODY = "nobody"
LEAVE_OUT: Mapping[str, str] = {LEAVE: "leave it out"}
YES_NO: Mapping[str, str] = {"yes": "yes", "no": "no"}

Doubt = Literal["to_confirm", "unknown", "not_found"]


@dataclass(frozen=True)
class Candidate:
    """One way to settle something: the word for it, and what it means."""

    value: str
    label: str


@dataclass(frozen=True)
class SaveFinding:
    """One result read from a save.

    `key` is the name under which it is settled; `what` the piece or unit, `where` its Location,
    `why` the reason for it or for the doubt. `taken` is the choice that is in the report now;
    `candidates` are all choices, none if only the report itself can be changed.
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
        return {**asdict(self), "candidates": [vars(candidate) for candidate in self.candidates]}


@dataclass
class Findings:
    """Collects findings while a save is read; `choices` settle doubtful ones."""

    choices: Mapping[str, str] = field(default_factory=dict)
    certain: list[SaveFinding] = field(default_factory=list)
    to_confirm: list[SaveFinding] = field(default_factory=list)
    unknown: list[SaveFinding] = field(default_factory=list)
    not_found: list[SaveFinding] = field(default_factory=list)
    passed_over: dict[str, int] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    _met: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def sure(self, key: str, subject: str, why: str, where: str = "", taken: str = "") -> None:
        """Note a certain finding."""
        self.certain.append(SaveFinding(key, subject, why, where, taken))

    def ask(
        self,
        key: str,
        subject: str,
        why: str,
        options: Mapping[str, str],
        proposed: str,
        where: str = "",
        into: Doubt = "to_confirm",
    ) -> str:
        """Note a question with options, and return the choice made, else the proposed one."""
        self._met[key] = options
        chosen = self.choices.get(key)
        if chosen is not None and chosen in options:
            self.sure(key, subject, f"as you chose: {options[chosen]}", where, chosen)
            return chosen
        candidates = tuple(Candidate(value, label) for value, label in options.items())
        getattr(self, into).append(SaveFinding(key, subject, why, where, proposed, candidates))
        return proposed

    def confirm(self, key: str, subject: str, why: str, where: str = "", proposed: str = "yes") -> bool:
        """Return the answer to a question of yes or no."""
        return self.ask(key, subject, why, YES_NO, proposed, where) == "yes"

    def leave_out(self, key: str, subject: str, why: str, where: str = "") -> None:
        """Note something unknown that can only be left out."""
        self.ask(key, subject, why, LEAVE_OUT, LEAVE, where, "unknown")

    def pass_over(self, subject: str) -> None:
        """Count a piece that the report does not ask for."""
        self.passed_over[subject] = self.passed_over.get(subject, 0) + 1

    def check_choices(self) -> None:
        """Raise DataError if a choice was made about nothing, or is not one of the candidates."""
        problems = []
        for key, value in self.choices.items():
            if key not in self._met:
                right = did_you_mean(key, self._met, "you can settle")
                problems.append(Problem(f"there is nothing called {key[:60]!r} to settle", right))
            elif value not in self._met[key]:
                right = did_you_mean(value, self._met[key])
                problems.append(Problem(f"{value[:60]!r} is not one of the choices", right, key))
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
