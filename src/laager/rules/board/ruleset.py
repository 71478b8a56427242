"""A rule system of campaigns on a board as the engine and the players see it: the base of all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from laager.base import DataError, DoubtInWords, Problem
from laager.base.files import Document, read_document
from laager.campaign import UMPIRE, Context, Course, Fact, NewCampaign, Readings, Sheet, Step
from laager.campaign.house import add_house, block_document
from laager.campaign.naming import GivenNames, Namer
from laager.campaign.opening import RECORD
from laager.campaign.ruleset import PrintedCharts
from laager.campaign.sentences import is_many, with_names
from laager.campaign.speech import ENGLISH
from laager.campaign.summary import CardSummary
from laager.rules.board import facts as shared_facts
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.context import CardContext
from laager.rules.board.facts import CampaignEnded, SideNumber
from laager.rules.board.names import board_namer
from laager.rules.board.record import facts as record_facts
from laager.rules.board.record.beginning import start_from, step_at_first
from laager.rules.board.rulings import facts as ruling_facts
from laager.rules.board.sequence import Sequences
from laager.rules.board.state import BoardState, evolve

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Layers
    from laager.rules.board.card.files import LoadedCard
    from laager.rules.board.record.files import CampaignRecord

CgT = TypeVar("CgT", bound=CardContext)
StateT = TypeVar("StateT", bound=BoardState)


class BoardRuleset(ABC, Generic[CgT, StateT]):
    """What the rulesets have in common. Each names what is its own and overrides the hooks in which it differs."""

    id: str
    title: str
    package: str
    sides = SIDES
    sequences: Sequences
    rounds: ClassVar[Mapping[Any, str]]
    """What players call the rounds of the sequence."""
    later_rounds: ClassVar[frozenset[Any]] = frozenset()
    """The rounds that are gone through only after a first battle."""
    moments: Mapping[str, str] = {}
    """The moment of the rules index at which a step shows its reminders, by step."""
    own_facts: ClassVar[Sequence[ModuleType]] = ()
    """The modules with the facts that only this system has."""
    context_class: type[CgT]
    state_class: type[StateT]
    over: ClassVar[str]
    """The clause by which the campaign ends when a side concedes."""

    def __init__(self) -> None:
        modules = (shared_facts, record_facts, ruling_facts, *self.own_facts)
        values = (value for module in modules for value in vars(module).values())
        facts = (value for value in values if isinstance(value, type) and issubclass(value, Fact))
        self.facts: Mapping[str, type[Fact]] = {cls.kind: cls for cls in facts if cls not in (Fact, SideNumber)}
        self.taking_up = step_at_first(next(iter(self.sequences.steps.values())).clause)
        self.steps: Mapping[str, Step] = {**self.sequences.steps, self.taking_up.id: self.taking_up}

    # For the engine -----------------------------------------------------------------------------

    def context(self, opening: Mapping[str, Any]) -> CgT:
        """Return the context of a campaign."""
        return self.context_class(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> StateT:
        """Return the state before the first fact: the record's, else an empty one.

        The card's numbers come with CampaignBegun.
        """
        empty = self.state_class.empty(viewer, frozenset(opening["card"].get("omit", ())))
        return start_from(empty, opening[RECORD], self.sequences) if RECORD in opening else empty

    def next_step(self, state: StateT) -> Step | None:
        """Return the step that comes next."""
        return self.taking_up if state.taking_up else self.sequences.next_step(state)

    def step_done(self, state: StateT, step: str) -> StateT:
        """Tick a step off; the step that began another round belongs to the old one."""
        if step == self.taking_up.id:
            return evolve(state, taking_up=False)
        if state.turning or not any(due.stands_for(step) for due in self.sequences.due_steps(state)):
            return evolve(state, turning=False)
        return evolve(state, done=(*state.done, step))

    def round_key(self, state: StateT) -> str:
        """Return what tells a round of steps from all others: its kind and the battle."""
        return f"{state.number} {state.round}"

    @abstractmethod
    def strategic_places(self, cg: CgT) -> Collection[str]:
        """Return the Locations that a side can Control, as the map stands."""

    @abstractmethod
    def describe(self, state: StateT) -> dict[str, Any]:
        """Return a viewer's state as JSON."""

    # For the players ----------------------------------------------------------------------------

    @abstractmethod
    def load(self, path: Path) -> LoadedCard:
        """Read a card and the files that it names. Raises DataError with every problem."""

    @abstractmethod
    def summary(self, card: Document) -> CardSummary:
        """Return what players compare before they choose a card. Raises DataError if it isn't valid."""

    def card_map(self, path: Path) -> HexMap:
        """Return the map that a card names. Raises DataError."""
        from laager.rules.board.card.files import load_card_map

        return load_card_map(read_document(path), path.parent, self.id)

    def printed_charts(self, setting: Mapping[str, Any] | None = None) -> PrintedCharts:
        """Return the files of charts that a house may change, those of a card if its setting is given."""
        return PrintedCharts()

    def with_house(self, made: NewCampaign) -> NewCampaign:
        """Return a campaign about to begin; house rules change nothing of its setting."""
        return made

    def card_problems(self, loaded: Any) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """Return problems and doubts that the system's own rules have about a card."""
        return (), ()

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        """Read a card, the files that it names and the readings chosen.

        Raises DataError with every problem. What it read is in the setting: a campaign needs no
        file but its own.
        """
        loaded = self.load(path)
        known = Readings.load_packaged(self.package)
        problems = known.check(readings)
        if problems:
            raise DataError(problems)
        in_force = known.in_force({**loaded.card.readings, **readings})
        wrong, doubtful = self.card_problems(loaded)
        if wrong:
            raise DataError(wrong)
        warnings = tuple(DoubtInWords(warning) for warning in (*loaded.warnings, *doubtful))
        made = NewCampaign(loaded.card.title, {**loaded.setting, "readings": in_force}, warnings)
        own = loaded.card.house
        return add_house(self, made, block_document(read_document(path), self.id)) if own else made

    def read_record(self, document: Document, setting: Mapping[str, Any]) -> CampaignRecord:
        """Read a record of a campaign on the card of this setting. Raises DataError with every problem."""
        from laager.rules.board.record.files import read_record

        card = {name: part for name, part in setting.items() if name != RECORD}
        later = data.get("round") in self.later_rounds if isinstance(data := document.data, Mapping) else False
        return read_record(document, self.id, self.sequences, self.context(card), self.start(card, UMPIRE), later)

    def record_template(self, setting: Mapping[str, Any]) -> str:
        """Return a record to be filled in, for a campaign on the card of this setting."""
        from laager.rules.board.record.files import record_template
        from laager.rules.board.record.parts import battle_part

        second = {battle_part(self.state_class): {"number": 2}}
        return record_template(
            self.context(setting), self.id, self.sequences, {str(round_): second for round_ in self.later_rounds}
        )

    def record_text(
        self, context: Context, next_step: str, public: StateT, sides: Mapping[str, StateT], remark: str = ""
    ) -> str:
        """Return the record as a file: what a spectator knows, and what these sides know besides."""
        from laager.rules.board.record.files import record_data, record_text

        cg = self.context_for(context, public)
        return record_text(record_data(cg, self.id, next_step, public, sides), remark)

    def shipped_cards(self) -> Mapping[str, Path]:
        """Return the cards that come with Laager."""
        from laager.rules.board.card.files import shipped_files

        return shipped_files(self.id, "")

    def headline(self, context: Context, state: StateT) -> Sequence[str]:
        """Say where the campaign stands, or how it ended."""
        cg = self.context_for(context, state)
        if state.round == "over":
            who = "nobody has won"
            if state.winner:
                winner = cg.people_of(state.winner)
                who = f"won by the {winner}" if is_many(winner, state.winner) else f"won by {winner}"
            # A name can end in a full stop of its own: "the U.S."
            ending = with_names(state.ending, {side: cg.people_of(side) for side in self.sides})
            return (f"The campaign is over, {who.removesuffix('.')}. {ending.removesuffix('.')}.",)
        lines = tuple(self.describe_standing(cg, state))
        return (*lines, f"House rules: {', '.join(cg.house.rules)}") if cg.house else lines

    @abstractmethod
    def describe_standing(self, cg: CgT, state: StateT) -> Sequence[str]:
        """Say which battle it is, when, and how it stands."""

    def objectives(self, context: Context, state: StateT) -> Sequence[tuple[str, str]]:
        """Return what each side has to do to win this battle: nothing but what the rules say."""
        return ()

    def course(self, state: StateT) -> Course:
        """Return the list of steps that is being gone through."""
        return Course(self.rounds[state.round], self.sequences.due_steps(state), frozenset(state.done))

    def sheets(self, context: Context, state: StateT) -> Sequence[Sheet]:
        """Return the record sheets that the viewer's state fills."""
        return self.all_sheets(self.context_for(context, state))

    @abstractmethod
    def all_sheets(self, cg: CgT) -> Sequence[Sheet]:
        """Return the record sheets of a campaign as its viewer sees it."""

    def sheets_beside(self, context: Context, state: StateT, key: str, side: str) -> Sequence[Sheet]:
        """Return the chart while buying, the fortifications while building, the OB otherwise."""
        return self.sheets_for(self.context_for(context, state), key, side)

    @abstractmethod
    def sheets_for(self, cg: CgT, key: str, side: str) -> Sequence[Sheet]:
        """Return what a side needs to see while it answers the question with this key."""

    def namer(self, given: GivenNames, language: str = ENGLISH) -> Namer:
        """Return what puts a viewer's names for units into texts."""
        return board_namer(given, language)

    def drawing(self, context: Context, state: StateT) -> tuple[HexMap, Layers]:
        """Return the map and what the viewer sees on it."""
        cg = self.context_for(context, state)
        return cg.map, self.layers(cg)

    @abstractmethod
    def layers(self, cg: CgT) -> Layers:
        """Return what the viewer sees on the map."""

    def moment(self, step: str) -> str:
        """Return the moment of a step's reminders."""
        return self.moments.get(step, "")

    def concession_fact(self, side: str | None) -> Fact:
        """Return the fact that a side concedes, or that both agree on a draw."""
        winner, ending = ("", "a draw by agreement") if side is None else (other_side(side), f"{side} conceded")
        return CampaignEnded(winner=winner, ending=ending, rule=self.over)

    def context_for(self, context: Context, state: StateT) -> CgT:
        """Return the campaign with a viewer's state."""
        assert isinstance(context, self.context_class)
        return context.with_state(state)
