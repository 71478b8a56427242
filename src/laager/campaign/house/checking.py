"""Checking a file of house rules against the rules that it changes: all problems at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, Where, problems_of
from laager.campaign.clauses import Clause, RulesIndex, Switch
from laager.campaign.house.file import AGREE, OFF, SWITCH, WHY
from laager.campaign.house.rules import HOUSE, Changes, HouseRules, chart_data, known_keys, printed_tables, read_house
from laager.tables import TableSet

if TYPE_CHECKING:
    from laager.campaign.ruleset import NewCampaign, PlayedRuleset


@dataclass(frozen=True)
class Printed:
    """What house rules can change: the rules of a system, and the charts and tables that a card brings.

    `charts` are files of charts, each with its model. `whole` is False where a card may bring more than is here.
    """

    ruleset: str
    index: RulesIndex
    tables: TableSet = field(default_factory=lambda: TableSet({}))
    charts: Sequence[BaseModel] = ()
    whole: bool = True


def printed_of(ruleset: PlayedRuleset, setting: Mapping[str, Any] | None = None) -> Printed:
    """Return what the rules print, with what a card brings if its `setting` is known.

    Raises RefusedError for rules that no house can change.
    """
    # Rulesets of others may be older than house rules.
    find = getattr(ruleset, "printed_charts", None)
    printed = find(setting) if find else None
    if printed is None:
        raise RefusedError(Refusal.NO_SUCH, f"{ruleset.title} has no house rules", "pl, abtf, er, hasl and dyo have")
    charts, tables, whole = printed
    shipped = printed_tables(ruleset.package)
    index = RulesIndex.load_packaged(ruleset.package)
    return Printed(ruleset.id, index, TableSet({**shipped, **(tables or {})}), charts, whole)


def check_house(document: Document, printed: Printed) -> tuple[HouseRules, list[str]]:
    """Return the house rules of a document, and doubts about them. Raises DataError with every problem, located."""
    house = read_house(document, printed.index)
    problems: list[Problem] = []

    def complain(where: Where, wrong: str, right: str) -> None:
        problems.append(document.problem(where, wrong, right))

    if house.data["ruleset"] != printed.ruleset:
        complain(("ruleset",), f"is for {house.data['ruleset']}", f"these rules are {printed.ruleset}")
        raise DataError(problems)
    known = {clause: change for clause, change in house.rules.items() if clause in printed.index}
    for clause in house.rules.keys() - known.keys():
        complain(("rules", clause), f"the index has no clause “{clause}”", did_you_mean(clause, printed.index))
    for where, wrong, right in _check_switches(known, printed.index):
        complain(where, wrong, right)
    changes = Changes(known, printed.index, complain)
    changes.tables(printed.tables)
    for charts in printed.charts:
        problems += _check_charts(changes, charts, document)
    doubts = []
    for where in changes.find_unused():
        clause, key = str(where[1]), str(where[2])
        entry = printed.index[clause]
        if not printed.whole and entry.chart is not None:
            doubts.append(f"{clause}: {key} is checked when the campaign begins; only the card has that chart")
        else:
            complain(where, *_explain_unknown(clause, key, printed))
    if problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.line or 0, problem.field)))
    return house, doubts


def _check_switches(rules: Mapping[str, Mapping[str, Any]], index: RulesIndex) -> Iterator[tuple[Where, str, str]]:
    """Yield what is wrong with clauses that are left out or left to the players."""
    for clause, change in rules.items():
        where: Where = ("rules", clause)
        if WHY in change and not isinstance(change[WHY], str):
            yield (*where, WHY), "isn't a reason in words", "put it in quotes"
        switch = change.get(SWITCH)
        if switch is None:
            if change.keys() <= {WHY}:
                yield where, "changes nothing", "off, agree, or what changes in it"
            continue
        wrong = why_not_switched(index[clause], switch)
        if wrong:
            yield where, *wrong
        elif change.keys() - {SWITCH, WHY}:
            yield where, f"is {switch}, and changed as well", "keep one of the two"


def why_not_switched(entry: Clause, switch: Any) -> tuple[str, str] | None:
    """Return why a clause can't be `off` or `agree`, and what would be right; None if it can."""
    if switch not in (OFF, AGREE):
        return f"“{switch}” isn't a change of a clause", f"{OFF} or {AGREE}"
    if entry.switch is Switch.NO:
        return f"can't be {switch}: what follows needs it", "change its tables or figures, or leave it as it is"
    if entry.switch is Switch.AGREE and switch == OFF:
        return "can't be left out: what follows needs its outcome", AGREE
    return None


def _check_charts(changes: Changes, charts: BaseModel, document: Document) -> Iterator[Problem]:
    """Yield what is wrong with charts once they are changed, at the clause that does it."""
    data = chart_data(charts)
    if not _chart_problems(charts, changes.charts(data), document):
        return
    for clause, change in changes.rules.items():
        alone = Changes({clause: change}, changes.index, lambda *_: None)
        made = alone.charts(data)
        touched = sorted(alone.used)
        for problem in _chart_problems(charts, made, document):
            at = touched[0] if len(touched) == 1 else ("rules", clause)
            yield document.problem(at, f"{problem.field}: {problem.what}", problem.right)


def _chart_problems(charts: BaseModel, made: Any, document: Document) -> list[Problem]:
    """Return why changed data are no longer charts."""
    try:
        type(charts).model_validate(made)
    except ValidationError as err:
        return problems_of(err, Document(made, document.name), type(charts))
    return []


def _explain_unknown(clause: str, key: str, printed: Printed) -> tuple[str, str]:
    """Return what is wrong with a change that finds nothing to change, and what would be right."""
    known = [
        name
        for charts in (printed.charts or (None,))
        for name in known_keys(clause, printed.index, printed.tables, chart_data(charts) if charts else {})
    ]
    if known:
        return f"the clause has no “{key}”", did_you_mean(key, known)
    switch = printed.index[clause].switch
    right = "another clause" if switch is Switch.NO else f"{OFF} or {AGREE}" if switch is Switch.OFF else AGREE
    return "the clause has no table and no figures to change", right


# Beginning with them -------------------------------------------------------------------------------


def block_document(whole: Document, ruleset: str, why: str = "", at: Where = ()) -> Document:
    """Return the house rules in the block `house` of a card or a ruling as a document of their own.

    `why` is their reason, if the block has none. `at` is where the card stands in the document.
    """
    card = whole.data
    for key in at:
        card = card[key]
    block, place = card[HOUSE], (*at, HOUSE)
    first = {"laager": "house/1", "ruleset": ruleset, **({"why": why} if why else {})}
    data = {**first, **block} if isinstance(block, dict) else block
    inside = {where[len(place) :]: line for where, line in whole.lines.items() if where[: len(place)] == place}
    was: dict[Where, Where] = {(key,): (*place, key) for key in block} if isinstance(block, dict) else {}
    return Document(data, whole.name, inside, was)


def add_house(ruleset: PlayedRuleset, made: NewCampaign, document: Document) -> NewCampaign:
    """Return a campaign that is about to begin with the house rules of a document.

    Clause by clause they go before those that the card brings. Raises DataError with every problem.
    """
    kept, doubts = lay_house(made.setting.get(HOUSE), document, printed_of(ruleset, made.setting))
    begun = replace(made, setting={**made.setting, HOUSE: kept}, warnings=(*made.warnings, *doubts))
    # Rulesets of others may be older than this.
    settle = getattr(ruleset, "with_house", None)
    return settle(begun) if settle else begun


def lay_house(
    before: Mapping[str, Any] | None, document: Document, printed: Printed
) -> tuple[dict[str, Any], list[str]]:
    """Return house rules as a campaign keeps them, and doubts: those of a document over those that were there.

    Raises DataError with every problem.
    """
    house, doubts = check_house(document, printed)
    kept = dict(house.data)
    if before:
        rules = {clause: {WHY: before["why"], **change} for clause, change in before["rules"].items()}
        kept["rules"] = {**rules, **kept["rules"]}
    return kept, doubts
