"""What the engine needs of a rule system, and how one is found.

Rulesets register themselves under the entry-point group `laager.rulesets`, so that a third party
can ship one as a package of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.facts import Fact, Side
from laager.campaign.steps import Context, Step

GROUP = "laager.rulesets"


class Ruleset(Protocol):
    """A rule system as the engine sees it. State is immutable and the ruleset's own."""

    @property
    def id(self) -> str:
        """The name under which campaigns and commands know it."""
        ...

    @property
    def title(self) -> str:
        """The name for people."""
        ...

    @property
    def sides(self) -> Sequence[Side]:
        """The sides, in the order in which the rulebook names them."""
        ...

    @property
    def facts(self) -> Mapping[str, type[Fact]]:
        """Every kind of fact, by kind."""
        ...

    @property
    def steps(self) -> Mapping[str, Step]:
        """Every step, by id."""
        ...

    def context(self, opening: Mapping[str, Any]) -> Context:
        """Return the context of a campaign opened with this (card, map, readings)."""
        ...

    def start(self, opening: Mapping[str, Any], viewer: Side) -> Any:
        """Return the state before the first fact, as this viewer holds it."""
        ...

    def next_step(self, state: Any) -> Step | None:
        """Return the step that comes next, or None when the campaign is over."""
        ...

    def step_done(self, state: Any, step: str) -> Any:
        """Return the state after a step is finished."""
        ...

    def describe(self, state: Any) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        ...


@cache
def find_ruleset(name: str) -> Ruleset:
    """Return the ruleset of this name. Raises RefusedError if none is installed under it."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        advice = did_you_mean(name, sorted(found), "installed are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no ruleset {name!r}; {advice}")
    loaded: Ruleset = found[name].load()
    return loaded
