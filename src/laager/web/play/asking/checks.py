"""Checks of an answer, and what stands next to its question: costs, offers, sheets, reminders, odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem
from laager.base.files import parse_document
from laager.campaign import Question, RulesIndex, Sheet, ShopLine, Total
from laager.campaign.views import view
from laager.rules.board.names import UnitNames
from laager.rules.board.state import BoardState
from laager.web.rules import reference
from laager.web.rules.forecasts import Forecast, of_table
from laager.web.shared.forms.widgets import Widget, keys_of_path, left_open, walk_widgets
from laager.web.shared.translation import language, translate

if TYPE_CHECKING:
    from laager.tables import Table
    from laager.web.campaigns.tables import Asked
    from laager.web.campaigns.tables import Table as PlayTable


def find_problems(question: Question, value: Any) -> tuple[Problem, ...]:
    """Return everything that is wrong with an answer; nothing is given."""
    try:
        question.accept(value)
    except DataError as err:
        if left_open(value):
            return (Problem("you haven't answered yet", "choose or write an answer"),)
        return err.problems
    return ()


def totals(question: Question, value: Any) -> tuple[Total, ...]:
    """Return what an answer uses up of what there is; nothing while it can't be read."""
    if question.totals is None:
        return ()
    try:
        return tuple(question.totals(question.form.parse(value)))
    except DataError:
        return ()


def offers(question: Question, value: Any) -> Sequence[ShopLine]:
    """Return what can be bought besides what an answer buys already; nothing if the question does not say.

    While the answer can't be read, it's what can be bought on top of the proposal.
    """
    if question.offers is None:
        return ()
    try:
        return question.offers(question.form.parse(value))
    except DataError:
        return question.offers(question.default)


def offers_json(on_offer: Sequence[ShopLine]) -> dict[str, Any]:
    """Return how each line of a shop stands, for scripts: why not, how many are left, and each way's price."""
    return {
        offer.value: {
            "why": translate(offer.barred),
            "left": offer.left,
            "wares": [[ware.price, translate(ware.why_not)] for ware in offer.wares],
        }
        for offer in on_offer
    }


def costs(counted: Sequence[Total]) -> Mapping[str, int]:
    """Return what each row uses up of what is counted first."""
    return next((total.each for total in counted if total.each), {})


def add_lines(text: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Give the problems of an answer that was written as YAML the lines on which they stand."""
    document = parse_document(text, "")
    # People who write paths get paths.
    placed = [replace(problem, line=document.line(keys_of_path(problem.field)), place="") for problem in problems]
    return tuple(sorted(placed, key=lambda problem: problem.line or 0))


def problems_by_field(widget: Widget) -> dict[str, list[str]]:
    """Return the problems of each part of a form, by the id of its control."""
    return {part.id: list(part.problems) for part in walk_widgets(widget) if part.problems}


def names_of(table: PlayTable) -> Mapping[str, str]:
    """Return what the viewer calls the units that have an ID."""
    state = table.view.state
    if not isinstance(state, BoardState):
        return {}
    names = UnitNames(state, language(), table.view.named)
    return {name: names.name(unit) for name, unit in state.units.items()}


def sheets_beside(table: PlayTable, asked: Asked) -> Sequence[Sheet]:
    """Return the sheets that the asked side should see next to its question, from what that side may know."""
    pending = asked.pending
    seen = table.view if table.view.viewer == pending.side else view(table.campaign, pending.side)
    return table.ruleset.sheets_beside(table.campaign.context, seen.state, pending.key, pending.side)


# Odds --------------------------------------------------------------------------------------------


def tables_behind(table: PlayTable, asked: Asked) -> Sequence[tuple[Table, Forecast]]:
    """Return the tables on which the rule of a question or roll has dice rolled, and what they can bring.

    Modifiers that are known count.
    """
    pending = asked.pending
    index = RulesIndex.load_packaged(table.ruleset.package)
    wanted = pending.question or pending.roll
    rule = (wanted.rule if wanted else "") or pending.step.clause
    clause = index.get(rule)
    known = reference.book(table.ruleset.id).tables
    drm = sum(modifier.value for modifier in pending.roll.modifiers) if pending.roll else 0
    names = clause.tables if clause else ()
    tables = [known[name] for name in names if name in known]
    if pending.roll is not None:
        tables = [rules_table for rules_table in tables if rules_table.dice is pending.roll.dice]
    return [(table, of_table(table, drm)) for table in tables]


def problems_json(problems: tuple[Problem, ...]) -> list[dict[str, str]]:
    """Return problems as plain values; `field` is the path to what each is about."""
    return [
        {"field": problem.field, "what": translate(problem.what), "right": translate(problem.right)}
        for problem in problems
    ]


def grounds(question: Question) -> dict[str, Any]:
    """Return the hexes where things can go: each set once in `grounds`, `allowed` naming it by its number.

    `home` is the number of the set of them all.
    """
    allowed = question.placing.allowed() if question.placing else {}
    sets: dict[frozenset[str], int] = {}
    numbers = {name: sets.setdefault(frozenset(hexes), len(sets)) for name, hexes in allowed.items()}
    home = sets.setdefault(frozenset[str]().union(*sets), len(sets))
    return {"grounds": [sorted(hexes) for hexes in sets], "allowed": numbers, "home": home}


# The chart beside the cart ------------------------------------------------------------------------

CHART, BOUGHT = "chart", "purchases"
"""The sheets that say what can be bought, and what was bought before."""
_CONTENTS = ("Units", "Full / Depleted", "SW")
_PRICES = ("CP", "CPP")


@dataclass(frozen=True)
class Goods:
    """What one group is made of, and what the last one cost ("": none was bought)."""

    contents: str
    last: str = ""


def goods_of(sheets: Sequence[Sheet]) -> Mapping[str, Goods]:
    """Return what the chart says of each group, by the group's key; nothing if there is no chart among the sheets."""
    last = {}
    for sheet in sheets:
        if sheet.id == BOUGHT:
            last = _last_prices(sheet)
    return {row[0]: Goods(_contents(sheet, row), last.get(row[0], ""))
            for sheet in sheets if sheet.id == CHART for row in sheet.rows}  # fmt: skip


def without_chart(sheets: Sequence[Sheet]) -> Sequence[Sheet]:
    """Return the sheets that say more than the cart does."""
    return [sheet for sheet in sheets if sheet.id != CHART]


def _contents(sheet: Sheet, row: Sequence[str]) -> str:
    titles = [column.title for column in sheet.columns]
    return "; ".join(row[titles.index(title)] for title in _CONTENTS if title in titles and row[titles.index(title)])


def _last_prices(sheet: Sheet) -> dict[str, str]:
    """Return the last price that was paid for each group: the record has a line `I1/2` for the second I1."""
    titles = [column.title for column in sheet.columns]
    name = next((i for i, title in enumerate(titles) if title.endswith("ID")), None)
    price = next((i for i, title in enumerate(titles) if title in _PRICES), None)
    if name is None or price is None:
        return {}
    paid = [(row[name].rpartition("/")[0], row[price]) for row in sheet.rows]
    return {key: f"{cost} {titles[price]}" for key, cost in paid if key and cost}
