"""Each viewer's own names for what the rules call by number: in questions, problems and the log.

A rule system says how names are put into a text (`PlayedRuleset.namer`); names that players give are entries of the log
(`named`), which change nothing else: no rule ever reads them, and nothing that is taken back takes them away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from laager.base import Problem, Refusal, RefusedError
from laager.campaign.speech import ENGLISH

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.facts import Side
    from laager.campaign.questions import Question

LONGEST_NAME = 30
"""The longest name of a unit, in characters."""

_SAID = frozenset({"label", "why_not", "note"})
"""The fields of forms that people read."""

GivenNames = Mapping[str, str]
"""The names that players have given, by the number of the unit."""


class Namer(Protocol):
    """Puts a viewer's names into a text, by the states in which he knows the units, the earlier first."""

    def __call__(self, text: str, *states: Any, numbers: bool = False) -> str:
        """Return the text with names; `numbers`: each with its number in brackets behind it."""
        ...


def leave_text(text: str, *_states: Any, numbers: bool = False) -> str:
    """Return a text as it is: what rule systems without units say."""
    del numbers
    return text


def namer_of(ruleset: Any, given: GivenNames, language: str = ENGLISH) -> Namer:
    """Return what puts names into texts for a rule system; those written before there were names leave texts alone."""
    make: Callable[[GivenNames, str], Namer] | None = getattr(ruleset, "namer", None)
    return make(given, language) if make is not None else leave_text


def named_question(question: Question, say: Callable[[str], str]) -> Question:
    """Return a question with names in all that its side reads: its words, its form, what is wrong with an answer."""

    def check(value: Any) -> Sequence[Problem]:
        return [replace(wrong, what=say(wrong.what), right=say(wrong.right)) for wrong in question.check(value)]

    irrevocable = question.irrevocable
    return question.but(
        text=say(question.text),
        help=say(question.help),
        form=_put_names(question.form, say),
        check=check,
        irrevocable=(lambda value: say(irrevocable(value))) if irrevocable else None,
    )


def _put_names(value: Any, say: Callable[[str], str]) -> Any:
    """Return a form, or a part of one, with names in what people read of it; itself if nothing changes."""
    if isinstance(value, tuple):
        parts = tuple(_put_names(part, say) for part in value)
        return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {}
    for part in fields(value):
        old = getattr(value, part.name)
        new = say(old) if part.name in _SAID and isinstance(old, str) else _put_names(old, say)
        if new is not old and new != old:
            changes[part.name] = new
    return replace(value, **changes) if changes else value


def rename(campaign: Campaign, side: Side, unit: str, name: str) -> None:
    """Let a side call one of its units by a name of its own; "" takes the name away.

    It is the side's secret unless the enemy knows the unit. Raises RefusedError (no-such, bad-answer).
    """
    from laager.campaign.views import view

    if side not in campaign.ruleset.sides:
        raise RefusedError(Refusal.NOT_YOURS, "only a side names its units", "name them from the seat of a side")
    name = " ".join(name.split())
    seen = view(campaign, side)
    held = getattr(seen.state, "units", {}).get(unit)
    if held is None or held.side != side:
        raise RefusedError(Refusal.NO_SUCH, f"you have no unit {unit[:20]!r}", "its number, as in your roster")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise RefusedError(
            Refusal.BAD_ANSWER, f"{name[:40]!r} can't be a unit's name", f"at most {LONGEST_NAME} printable characters"
        )
    if set(name) & set('()"'):
        raise RefusedError(Refusal.BAD_ANSWER, f"{name!r} has a bracket or quote in it", "a name without them")
    if seen.named.get(unit, "") == name:
        return
    campaign.record("named", {"side": side, "unit": unit, "name": name}, to=None if held.known else (side,))
