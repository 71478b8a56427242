"""Cards, rules and tables to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import Column, Sheet
from laager.campaign.ruleset import PlayedRuleset, find_package, find_ruleset
from laager.cli.ending import WrongUseError
from laager.cli.out import say, say_wrapped, show_json, show_sheets
from laager.cli.play.campaign_file import warn_of_broken_rules

if TYPE_CHECKING:
    from laager.campaign import Clause, RulesIndex
    from laager.tables import Table, TableModifier


TABLES = "tables.yaml"
"""The file of tables in a ruleset's package."""

HANDLED = {
    "computed": "Laager carries it out",
    "asked": "Laager asks what only the players know, and does the rest",
    "reminded": "the players do it; Laager reminds them",
}
"""What the handling of a clause means, in words."""


def cards(as_json: bool) -> None:
    """List shipped cards."""
    found = list(_shipped_cards())
    if as_json:
        show_json(found)
        return
    columns = tuple(Column(title) for title in ("Card", "Rules", "Title", "Source"))
    rows = tuple((card["id"], card["ruleset"], card["title"], card["source"]) for card in found)
    notes = ("begin one with: laager new CARD",) if rows else ()
    show_sheets([Sheet("cards", "Campaigns that come with Laager", columns, rows, notes)])


def _shipped_cards() -> Iterator[dict[str, str]]:
    from laager.campaign.cards import shipped_cards

    warn_of_broken_rules()
    for card in shipped_cards():
        found = {"id": card.id, "ruleset": card.ruleset, "title": card.title}
        yield found | {"source": card.source, "file": str(card.path)}


def rules(
    ruleset: str,
    clause: str,
    code: bool,
    coverage: bool,
    search: str | None,
    readings: bool,
    card: Path | None,
    as_json: bool,
) -> None:
    """Browse the rules index."""
    from laager.campaign import RulesIndex

    if sum((bool(clause), coverage, search is not None, readings)) > 1:
        raise WrongUseError("choose one of a clause, --search, --coverage, --readings")
    if card is not None and not coverage:
        raise WrongUseError("--card goes with --coverage")
    if code and not clause:
        raise WrongUseError("--code goes with a clause")
    package = find_package(ruleset)
    if readings:
        _readings(package, as_json)
        return
    index = RulesIndex.load_packaged(package)
    if coverage:
        _coverage(find_ruleset(ruleset), index, card, as_json)
    elif code:
        _code(package, index[_clause_id(index, clause)], as_json)
    elif clause:
        _clause(ruleset, index, index[_clause_id(index, clause)], as_json)
    else:
        _list(ruleset, index, search, as_json)


def _list(ruleset: str, index: RulesIndex, search: str | None, as_json: bool) -> None:
    """Print the clauses that a search finds; all of them, by chapter, without one."""
    found = list(index.values()) if search is None else list(index.search(search))
    if as_json:
        show_json([one.model_dump(mode="json") for one in found])
        return
    if not found:
        raise RefusedError(Refusal.NO_SUCH, f"no clause speaks of {search!r}")
    chapter = ""
    room = max(len(one.id) for one in found)
    for one in found:
        heading = index.chapter_of(one.id) if search is None else ""
        if heading != chapter:
            say("", heading) if chapter else say(heading)
            chapter = heading
        say(f"  {one.id:<{room}}  {one.heading}".rstrip())
    say("", f"read one with: laager rules {ruleset} {_short(found[0].id)}")


def _clause(ruleset: str, index: RulesIndex, one: Clause, as_json: bool) -> None:
    if as_json:
        show_json(one.model_dump(mode="json"))
        return
    say(f"{one.id}  {one.heading}".rstrip())
    say(f"{index.chapter_of(one.id)}; {HANDLED[one.handling]}", "")
    say_wrapped(one.text)
    say("")
    say(*(f"table: laager table {ruleset} {name}" for name in one.tables))
    if one.readings:
        say(f"readings: {', '.join(one.readings)} (laager rules {ruleset} --readings)")
    say(*(f"see {name}  {index[name].heading}".rstrip() for name in one.see))


def _code(package: str, one: Clause, as_json: bool) -> None:
    """Print where the functions that carry out a clause stand: file, line, name, what they do."""
    from laager.campaign.clauses import implementers, place_of

    places = [place_of(by) for by in implementers(package).get(one.id, ())]
    if as_json:
        show_json([asdict(place) for place in places])
        return
    for place in places:
        say(f"{place.file}:{place.line}  {place.name}")
        if place.about:
            say_wrapped(place.about, "    ")
    if not places:
        say(f"{one.id} has no code: {HANDLED[one.handling]}")


def _short(clause: str) -> str:
    """Return how a clause is named on the command line: without the system."""
    return clause.split(" ", 1)[1]


def _clause_id(index: RulesIndex, text: str) -> str:
    """Return the id of a clause named in full (`PL 3.47`) or without the system (`3.47`)."""
    short = {name.split(" ", 1)[1].lower(): name for name in index}
    names = {name.lower(): name for name in index} | short
    if text.lower() in names:
        return names[text.lower()]
    advice = did_you_mean(text, [*short, *index])
    raise RefusedError(Refusal.NO_SUCH, f"there is no clause {text!r}", advice)


def _coverage(system: PlayedRuleset, index: RulesIndex, card: Path | None, as_json: bool) -> None:
    from laager.campaign.clauses import coverage
    from laager.cli.reading.charts import waiting

    charts = waiting(system, index, card)
    titles = ("Clause", "Title", "Handled", *(("Computed with",) if charts else ()), "By")
    rows = []
    for one in coverage(index, system.package):
        handled, chart = charts.get(one.clause, (one.handling.value, ""))
        by = ", ".join(one.by)
        head = (one.clause, index[one.clause].title, handled)
        rows.append((*head, chart, by) if charts else (*head, by))
    counts = {kind: sum(row[2] == kind for row in rows) for kind in ("computed", "asked", "reminded")}
    note = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    open_ones = sum(not row[-1] for row in rows)
    notes = [f"{len(rows)} clauses: {note}; {open_ones} without anything behind them"]
    if charts and card is None:
        notes.append("asked until the charts named are filled in; --card FILE shows it for a card")
    sheet = Sheet(
        "coverage",
        f"{system.title}: every clause and how it is handled",
        tuple(Column(title) for title in titles),
        tuple(rows),
        tuple(notes),
    )
    if as_json:
        show_json(sheet.describe())
    else:
        show_sheets([sheet])


def _readings(package: str, as_json: bool) -> None:
    from laager.campaign import Readings

    readings = Readings.load_packaged(package)
    if as_json:
        show_json([reading.model_dump(mode="json") for reading in readings.values()])
        return
    if not readings:
        say("these rules leave nothing to be read in several ways")
        return
    for reading in readings.values():
        say(f"{reading.id} ({reading.rule})")
        say_wrapped(reading.question, "  ")
        for name, meaning in reading.options.items():
            mark = "*" if name == reading.default else " "
            say_wrapped(meaning, "      ", f"  {mark} {name}: ")
        say_wrapped(reading.why, "    ", "    why: ")
        say_wrapped(reading.changes, "    ", "    changes: ")
        say("")
    say("* is in force unless the card or laager new --reading ID=OPTION says otherwise")


def table(ruleset: str, name: str | None, drm: int, as_json: bool) -> None:
    """Print a table with its odds, or the list of tables."""
    from laager.tables import TableSet, load_packaged

    package = find_package(ruleset)
    # Rules whose tables are all the owner's to fill in print none of their own.
    own = files(package).joinpath(TABLES).is_file()
    tables = load_packaged(package, TABLES) if own else TableSet({}, "")
    if name is None:
        rows = tuple((one.id, one.title, one.rule, one.dice.value) for one in tables.values())
        columns = tuple(Column(title) for title in ("Table", "Title", "Rule", "Roll"))
        notes = () if own else (f"what a card of {ruleset} names: laager chart fill {ruleset}",)
        sheets = [Sheet("tables", "Tables", columns, rows, notes)]
    else:
        if name not in tables:
            advice = did_you_mean(name, tables) if tables else f"the rules {ruleset} print none"
            raise RefusedError(Refusal.NO_SUCH, f"there is no table {name!r}", advice)
        sheets = _table_sheets(tables[name], drm)
    if as_json:
        show_json([sheet.describe() for sheet in sheets])
    else:
        show_sheets(sheets)


def _value(modifier: TableModifier) -> str:
    return "as given" if modifier.value is None else f"{modifier.value:+d}"


def _table_sheets(one: Table, drm: int) -> list[Sheet]:
    columns = one.columns or ("result",)
    rows = tuple(
        (
            f"{odds.row.span}",
            *(one.words(odds.row.results[column]) for column in columns),
            f"{odds.ways}/{odds.total}",
            f"{100 * odds.ways / odds.total:.1f} %",
        )
        for odds in one.odds(drm)
    )
    heads = (Column(f"Final {one.dice.value}", "right"), *(Column(c.title()) for c in columns),
             Column("Ways", "right"), Column("Odds", "right"))  # fmt: skip
    title = f"{one.title} ({one.rule})" + (f" at {drm:+d}" if drm else "")
    sheets = [Sheet(one.id, title, heads, rows, tuple(one.notes))]
    if one.modifiers:
        marks = tuple(
            (_value(modifier), f"per {modifier.per}: {modifier.when}" if modifier.per else modifier.when, modifier.rule)
            for modifier in one.modifiers
        )
        titles = (Column("DRM" if one.dice.value == "DR" else "drm"), Column("When"), Column("Rule"))
        sheets.append(Sheet(f"{one.id}-modifiers", "Modifiers", titles, marks))
    return sheets
