"""Design Your Own as the engine and the players see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.base.files import Document, check
from laager.campaign import Context, Course, Fact, NewCampaign, Readings, Sheet, Step
from laager.campaign.house import HOUSE
from laager.campaign.opening import RECORD
from laager.campaign.ruleset import PrintedCharts
from laager.campaign.summary import CardSummary
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.context import Cg, begun_with, rulebook_of
from laager.rules.design_your_own.facts import CategoryClosed, PurchaseEnded, all_facts
from laager.rules.design_your_own.record import (
    TAKE_UP,
    PurchaseTakenUp,
    RecordOfPurchase,
    read_record,
    record_data,
    record_template,
    record_text,
    start_from,
)
from laager.rules.design_your_own.sequence import STEPS, next_step, steps_of
from laager.rules.design_your_own.sheets.offers import describe, headline, points_sheet
from laager.rules.design_your_own.state import DyoState, first_state
from laager.rules.design_your_own.terms import SIDES, Terms

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Layers


def _context(context: Context) -> Cg:
    assert isinstance(context, Cg)
    return context


class DesignYourOwn:
    """The ruleset `dyo`."""

    id = "dyo"
    title = "Design Your Own (chapter H 1.1 to 1.84)"
    sides = SIDES
    package = PACKAGE

    def __init__(self) -> None:
        self.facts: Mapping[str, type[Fact]] = {**all_facts(), PurchaseTakenUp.kind: PurchaseTakenUp}
        self.steps: Mapping[str, Step] = {**STEPS, TAKE_UP.id: TAKE_UP}

    # For the engine -----------------------------------------------------------------------------

    def context(self, opening: Mapping[str, Any]) -> Cg:
        """Return the context of a purchase."""
        return Cg(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> DyoState:
        """Return the state before the first fact."""
        begun = begun_with(opening)
        terms = Terms.model_validate(begun["terms"])
        state = first_state(terms, viewer, rulebook_of(terms, begun))
        return start_from(state, opening[RECORD]) if RECORD in opening else state

    def next_step(self, state: DyoState) -> Step | None:
        """Return the step that comes next."""
        return TAKE_UP if state.taking_up else next_step(state)

    def step_done(self, state: DyoState, step: str) -> DyoState:
        """Tick a step off."""
        if step == TAKE_UP.id:
            return replace(state, taking_up=False)
        return replace(state, done=(*state.done, step))

    def describe(self, state: DyoState) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        return describe(state)

    # For the players ----------------------------------------------------------------------------

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        """Read terms, the catalogue files that they name and the readings chosen.

        Raises DataError with every problem. What it read is in the setting: a purchase needs no
        file but its own.
        """
        from laager.catalogue.dyo import catalogue_data
        from laager.rules.design_your_own.files import load_terms

        loaded = load_terms(path, readings)
        known = Readings.load_packaged(PACKAGE)
        setting: dict[str, Any] = {
            "terms": loaded.terms.model_dump(mode="json", exclude_defaults=True, exclude={"house"}),
            "catalogue": catalogue_data(loaded.catalogue),
            "counters": "shared",
            "readings": known.in_force({**loaded.terms.readings, **readings}),
            "elr_by_chart": [list(part) for part in loaded.by_chart],
        }
        if loaded.house:
            setting[HOUSE] = dict(loaded.house)
        warnings = tuple(str(warning) for warning in loaded.warnings)
        return NewCampaign(loaded.terms.title, setting, warnings)

    def printed_charts(self, setting: Mapping[str, Any] | None = None) -> PrintedCharts:
        """Return the charts of the rules; terms bring none of their own."""
        from laager.rules.design_your_own.charts import printed_charts

        return PrintedCharts((printed_charts(),))

    def with_house(self, made: NewCampaign) -> NewCampaign:
        """Return a purchase about to begin with the ELR that the chart gives by its house rules. Raises DataError."""
        from laager.rules.design_your_own.files import settle_by_house

        cg = self.context(made.setting)
        by_chart = {(side, nation) for side, nation in made.setting.get("elr_by_chart", ())}
        terms = settle_by_house(cg.terms, cg.catalogue, by_chart, cg.house)
        settled = terms.model_dump(mode="json", exclude_defaults=True)
        return replace(made, setting={**made.setting, "terms": settled})

    def read_record(self, document: Document, setting: Mapping[str, Any]) -> RecordOfPurchase:
        """Read a record of a purchase by the terms of this setting. Raises DataError with every problem."""
        return read_record(document, setting)

    def record_template(self, setting: Mapping[str, Any]) -> str:
        """Return a record to be filled in, for a purchase by the terms of this setting."""
        return record_template(self.context(setting))

    def record_text(
        self, context: Context, next_step: str, public: DyoState, sides: Mapping[str, DyoState], remark: str = ""
    ) -> str:
        """Return the record as a file: what a spectator knows, and what these sides know besides."""
        return record_text(record_data(_context(context), next_step, public, sides), remark)

    def is_record_point(self, fact: str) -> bool:
        """True for the kind of fact behind which a side can go on within a step: it has closed a category."""
        return fact == CategoryClosed.kind

    def shipped_cards(self) -> Mapping[str, Path]:
        """Return the terms that come with Laager."""
        from laager.rules.design_your_own.files import shipped_terms

        return shipped_terms()

    def summary(self, card: Document) -> CardSummary:
        """Return what players compare before they choose terms."""
        return check(card, Terms).summary()

    def card_map(self, path: Path) -> HexMap | None:
        """Return nothing: the boards are the players' own."""
        return None

    def headline(self, context: Context, state: DyoState) -> Sequence[str]:
        """Say when and for how much is bought, and what the viewer has left."""
        cg = _context(context).with_state(state)
        lines = headline(cg)
        return (*lines, f"House rules: {', '.join(cg.house.rules)}") if cg.house else lines

    def course(self, state: DyoState) -> Course:
        """Return the steps of the purchase."""
        return Course("Purchase", steps_of(state), frozenset(state.done))

    def sheets(self, context: Context, state: DyoState) -> Sequence[Sheet]:
        """Return the Roster of each side that the viewer may look at."""
        from laager.rules.design_your_own.sheets.roster import roster

        cg = _context(context).with_state(state)
        return [sheet for side in SIDES if state.knows(side) for sheet in roster(cg, side)]

    def sheets_beside(self, context: Context, state: DyoState, key: str, side: str) -> Sequence[Sheet]:
        """Return what an answer can buy, what its roll can bring, the Roster, the points left."""
        from laager.rules.design_your_own.sheets import prospects
        from laager.rules.design_your_own.sheets.offers import offer
        from laager.rules.design_your_own.sheets.roster import section_for_question

        cg = _context(context).with_state(state)
        odds = prospects.sheets(cg, side, key)
        beside_question = (offer(cg, side, key), *odds, section_for_question(cg, side, key), points_sheet(cg, side))
        return tuple(sheet for sheet in beside_question if sheet is not None)

    def drawing(self, context: Context, state: DyoState) -> tuple[HexMap, Layers]:
        """Refuse: there is no map."""
        raise RefusedError(Refusal.NO_SUCH, "a purchase has no map")

    def moment(self, step: str) -> str:
        """Return the moment of a step's reminders."""
        return "purchase" if step.startswith("buying") else ""

    def concession_fact(self, side: str | None) -> Fact:
        """Return the fact that a side, or (None) both, give the purchase up (DYO H1.1)."""
        who = side or "both sides"
        return PurchaseEnded(ending=f"given up by {who}", rule="DYO H1.1")


RULESET = DesignYourOwn()
