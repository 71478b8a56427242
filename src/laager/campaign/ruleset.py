"""What the engine needs of a rule system, and how one is found.

Rulesets register themselves under the entry-point group `laager.rulesets`, so that a third party
can ship one as a package of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pydantic import BaseModel

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import Document
from laager.base.plugins import find_plugins
from laager.base.texts import text_of
from laager.campaign.facts import Fact, Side
from laager.campaign.naming import GivenNames, Namer, leave_text
from laager.campaign.sheet import Sheet
from laager.campaign.speech import ENGLISH
from laager.campaign.steps import Context, Step
from laager.campaign.summary import CardSummary
from laager.tables import TableSet

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Layers

GROUP = "laager.rulesets"


@dataclass(frozen=True)
class NewCampaign:
    """What a ruleset makes of a card.

    The campaign's title, all that its log must open with (`setting`), and warnings about the card
    that don't prevent it.
    """

    title: str
    setting: dict[str, Any]
    warnings: tuple[str, ...] = ()


class RecordRead(Protocol):
    """What was read of a record: what goes into a campaign's opening, and what sides enter at once."""

    @property
    def opening(self) -> dict[str, Any]:
        """What everybody knows."""
        ...

    @property
    def secrets(self) -> Mapping[Side, Any]:
        """The sides' own parts, as far as the record has them."""
        ...


@dataclass(frozen=True)
class Course:
    """The round that is under way: its name, its steps in order, the ids of those that are done."""

    title: str
    steps: tuple[Step, ...]
    done: frozenset[str]


class PrintedCharts(NamedTuple):
    """Charts that a house may change, and tables besides those of the ruleset's package.

    `whole` is False where a card may bring more than is here.
    """

    charts: tuple[BaseModel, ...] = ()
    tables: TableSet | None = None
    whole: bool = True


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


class PlayedRuleset(Ruleset, Protocol):
    """A ruleset with all that players meet of it: cards, headlines, sheets, the map.

    A ruleset that is a subclass of it gets what has a default here: cards in the folder `cards` of its
    package, no sheets with a question, no map, no reminders.
    """

    @property
    def package(self) -> str:
        """The package whose index, tables and readings are this ruleset's."""
        ...

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        """Read a card and all it names. Raises DataError with every problem."""
        ...

    def shipped_cards(self) -> Mapping[str, Path]:
        """Return the cards that come with the ruleset, by id."""
        folder = Path(str(files(self.package))) / "cards"
        return {path.stem: path for path in sorted(folder.glob("*.yaml"))}

    def printed_charts(self, setting: Mapping[str, Any] | None = None) -> PrintedCharts | None:
        """Return the files of charts that a house may change, those of a card if its setting is given.

        None: campaigns of these rules have no house rules.
        """
        return None

    def with_house(self, made: NewCampaign) -> NewCampaign:
        """Return a campaign about to begin with what its house rules change of its setting. Raises DataError."""
        return made

    def summary(self, card: Document) -> CardSummary:
        """Return what players compare before they choose a card, without the files that it names.

        Raises DataError if the card isn't valid.
        """
        data = card.data if isinstance(card.data, dict) else {}
        return CardSummary(text_of(data.get("title", card.name)), str(data.get("source", "")))

    def card_map(self, path: Path) -> HexMap | None:
        """Return the map that a card names; None if campaigns of these rules have none. Raises DataError."""
        return None

    def read_record(self, document: Document, setting: Mapping[str, Any]) -> RecordRead:
        """Read a record of a campaign with this setting. Raises DataError with every problem."""
        raise _without_record(self.title)

    def record_template(self, setting: Mapping[str, Any]) -> str:
        """Return a record to be filled in, for a campaign with this setting."""
        raise _without_record(self.title)

    def record_text(
        self, context: Context, next_step: str, public: Any, sides: Mapping[Side, Any], remark: str = ""
    ) -> str:
        """Return the record as a file: what a spectator knows, and what these sides know besides."""
        raise _without_record(self.title)

    def namer(self, given: GivenNames, language: str = ENGLISH) -> Namer:
        """Return what puts a viewer's names for units into texts, by `given` ones too, in a language."""
        return leave_text

    def headline(self, context: Context, state: Any) -> Sequence[str]:
        """Return a few lines that say where the campaign stands, for a viewer's state."""
        ...

    def objectives(self, context: Context, state: Any) -> Sequence[tuple[Side, str]]:
        """Return what each side has to do to win the battle of a state, where the card says so, in its words."""
        return ()

    def course(self, state: Any) -> Course:
        """Return the round that is under way, for a viewer's state."""
        ...

    def sheets(self, context: Context, state: Any) -> Sequence[Sheet]:
        """Return the record sheets that a viewer's state fills."""
        ...

    def sheets_beside(self, context: Context, state: Any, key: str, side: Side) -> Sequence[Sheet]:
        """Return what a side should have before its eyes while it answers a question.

        Under the key `setup-sheet`: what its printed setup sheet is made of.
        """
        return ()

    def drawing(self, context: Context, state: Any) -> tuple[HexMap, Layers]:
        """Return the map, and what a viewer's state shows on it. Raises RefusedError if there is no map."""
        raise RefusedError(Refusal.NO_SUCH, f"{self.title} has no map")

    def moment(self, step: str) -> str:
        """Return the moment under which the rules index keeps a step's reminders; "" for none."""
        return ""

    def concession_fact(self, side: Side | None) -> Fact:
        """Return the fact that a side concedes, or (None) that both end it as a draw."""
        ...


def _without_record(title: str) -> RefusedError:
    return RefusedError(Refusal.NO_SUCH, f"{title} has no record from which a campaign goes on")


def find_package(name: str) -> str:
    """Return the package of a ruleset (its index, tables, readings) without loading its rules.

    It is the one whose module the entry point names. Raises RefusedError for an unknown ruleset.
    """
    return _point(name).module.rpartition(".")[0]


def find_rulesets() -> Mapping[str, EntryPoint]:
    """Return where the installed rulesets are, by their names."""
    return find_plugins(GROUP)


def _point(name: str) -> EntryPoint:
    points = find_rulesets()
    if name not in points:
        advice = did_you_mean(name, sorted(points), "installed are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no ruleset {name!r}", advice)
    return points[name]


@cache
def find_ruleset(name: str) -> PlayedRuleset:
    """Return the ruleset of this name. Raises RefusedError if none is installed under it."""
    loaded: PlayedRuleset = _point(name).load()
    return loaded
