"""Facts: what has happened in a campaign. They are the truth; the state is their sum.

A ruleset defines its facts as subclasses of `Fact`. Each names what happened in the past tense
and knows what it does to the state (`apply`), so that every kind has exactly one handler.
All facts are immutable.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar, Self

from pydantic import ValidationError

from laager.base import Refusal, RefusedError
from laager.base.immutable import Immutable
from laager.base.schema_words import explain
from laager.campaign.log import Audience, Entry

Side = str

UMPIRE = "umpire"
"""The viewer who sees everything."""

SPECTATOR = "spectator"
"""The viewer who sees only what is public."""


class Fact(Immutable):
    """Something that happened, with the rule that made it so.

    `rule` is the clause (the engine fills in that of the step when it is empty), `why` a sentence
    for people, `to` the sides that may know it (None: everyone; empty: nobody but the umpire).
    """

    rule: str = ""
    why: str = ""
    to: Audience = None

    kind: ClassVar[str] = "fact"

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    @abstractmethod
    def apply(self, state: Any) -> Any:
        """Return the state after this fact. Must not fail on a state that lacks secrets."""

    def tell(self) -> str:
        """Return one line for the log, as a player would say it."""
        shown = self.model_dump(exclude={"rule", "why", "to"}, exclude_defaults=True)
        inner = ", ".join(f"{name} {value}" for name, value in shown.items())
        return f"{self.kind.replace('-', ' ')}: {inner}" if inner else self.kind.replace("-", " ")

    def body(self) -> dict[str, Any]:
        """Return what the log stores of it; the same fact always gives the same bytes."""
        stored: dict[str, Any] = _order_sets(self.model_dump(exclude_defaults=True))
        return stored

    def known_to(self, *sides: Side) -> Self:
        """Return the same fact for these sides only."""
        return self.but(to=sides)


PLAIN = frozenset({str, int, bool, float, type(None)})


def _order_sets(value: Any) -> Any:
    """Return a value as plain JSON, sets in order: they have none of their own."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): item if type(item) in PLAIN else _order_sets(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(_order_sets(item) for item in value)
    if isinstance(value, list | tuple):
        return [_order_sets(item) for item in value]
    return value


def may_see(audience: Audience, viewer: Side) -> bool:
    """True if a viewer belongs to an audience. The engine's only test of secrecy."""
    return viewer == UMPIRE or audience is None or viewer in audience


FACTS_KEPT = 100
"""Most recent facts that are kept: every viewer's state and log is folded from the same new ones."""


class ReadFacts:
    """The facts of a log, read as a ruleset knows them."""

    def __init__(self, kinds: Mapping[str, type[Fact]], ruleset: str) -> None:
        self._kinds = kinds
        self._ruleset = ruleset
        self._kept: dict[int, tuple[object, Fact]] = {}

    def of(self, entry: Entry) -> Fact:
        """Return the fact in an entry. Raises RefusedError (broken-log) if the ruleset doesn't know it."""
        kept = self._kept.get(entry.number)
        if kept is not None and kept[0] is entry.body:
            return kept[1]
        fact = self._read(entry)
        self.keep(entry, fact)
        return fact

    def keep(self, entry: Entry, fact: Fact) -> None:
        """Keep the fact that an entry was made of: reading it would give the same."""
        if len(self._kept) >= FACTS_KEPT:
            self._kept.clear()
        self._kept[entry.number] = entry.body, fact

    def _read(self, entry: Entry) -> Fact:
        body = entry.body
        kind = self._kinds.get(body["kind"])
        if kind is None:
            raise RefusedError(
                Refusal.BROKEN_LOG,
                f"entry {entry.number} is a fact of kind {body['kind']!r}, which this version of "
                f"{self._ruleset} doesn't know",
                "use a newer Laager",
            )
        try:
            return kind.model_validate(body["fact"])
        except ValidationError as err:
            first = err.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise RefusedError(
                Refusal.BROKEN_LOG,
                f"entry {entry.number} isn't a fact of kind {body['kind']!r} as this version of "
                f"{self._ruleset} knows them ({where}: {explain(first)[0]})",
            ) from None
