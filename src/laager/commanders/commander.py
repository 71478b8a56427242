"""What a commander is, what it has before its eyes, and how one is loaded by its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, ClassVar

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.plugins import find_plugins
from laager.campaign.facts import Side
from laager.campaign.pending import Pending
from laager.campaign.steps import Context
from laager.campaign.views import View

Progress = Callable[[int, int], None]
"""Is told how much of an answer is done, of how much: in per cent, as more would tell what the commander has."""

GROUP = "laager.commanders"
"""The entry-point group of commanders."""


@dataclass(frozen=True)
class SeatView:
    """What a commander has before its eyes: its side's view of the campaign, and nothing else.

    `questions` are those open for its side now, `random` is a source of chance of its own. The view, the context and
    the record are made when they are first looked at: most questions are answered without.
    """

    side: Side
    questions: tuple[Pending, ...]
    random: Random = field(repr=False)
    look: Callable[[], View] = field(repr=False, compare=False)
    make_context: Callable[[View], Context] = field(repr=False, compare=False)
    write: Callable[[], str] = field(repr=False, compare=False)

    @cached_property
    def view(self) -> View:
        """What its side may know: state, log, questions (`laager.campaign.views.View`)."""
        return self.look()

    @cached_property
    def context(self) -> Context:
        """The card, map, charts and tables, with the state as its side knows it: what the rules' own functions take."""
        return self.make_context(self.view)

    @cached_property
    def record(self) -> str:
        """The campaign at the start of the step under way, as a file from which another one can go on.

        It holds what its side knows. Raises RefusedError for rules without a record, and while one is being taken up.
        """
        return self.write()


class Commander(ABC):
    """Decides for a side. A subclass says how; one object serves one side of one campaign.

    `takes_long` says that it can take many seconds over an answer; whoever waits for it sets `progress`, which is told
    how far it is.
    """

    name: ClassVar[str]
    takes_long: ClassVar[bool] = False
    progress: Progress | None = None

    def ponders(self, asked: Pending) -> bool:
        """Return True if it takes long over this question; by what kind of question it is, not by what it has."""
        return self.takes_long and asked.question is not None

    @abstractmethod
    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the answer to a question (`asked.question`) in the plain JSON of its form.

        What the question refuses is replaced by its proposal.
        """

    def explain(self, seat: SeatView, asked: Pending) -> str:
        """Return why it answers a question as it does, in a sentence or two, to be read when the campaign is over."""
        return ""

    def orders(self, seat: SeatView) -> str:
        """Return its orders for the battle in a few sentences, for the player who moves its counters; "" for none."""
        return ""


def commander_names(*, quick: bool = False) -> tuple[str, ...]:
    """Return the names of the commanders that are installed, in alphabetical order.

    `quick`: only of those who answer at once.
    """
    points = find_plugins(GROUP)
    return tuple(sorted(name for name in points if not (quick and load_commander(name).takes_long)))


def load_commander(name: str, *, quick: bool = False) -> Commander:
    """Return a commander of this name, a new one each time.

    Raises RefusedError if none is installed under it, or `quick` asks for one who answers at once and this one doesn't.
    """
    point = find_plugins(GROUP).get(name)
    if point is None:
        advice = did_you_mean(name, commander_names(quick=quick), "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no commander {name!r}", advice)
    commander = point.load()()
    if not isinstance(commander, Commander):
        right = "its entry point must name a subclass of laager.commanders.Commander"
        raise RefusedError(Refusal.BAD_DATA, f"what is installed as the commander {name!r} isn't one", right)
    if quick and commander.takes_long:
        right = f"choose {', '.join(commander_names(quick=True))}, or play with {name} at the terminal"
        raise RefusedError(Refusal.BAD_ANSWER, f"the commander {name} thinks too long for a server", right)
    return commander
