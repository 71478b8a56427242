"""Cards, rules and tables to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.ruleset import PlayedRuleset, find_package, find_ruleset
from laager.campaign.sheet import Column, Sheet
from laager.cli.out import say, show_json, show_sheets

if TYPE_CHECKING:
    from laager.campaign.clauses import RulesIndex
    from laager.tables import Table, TableModifier


def cards(as_json: bool) -> None:
    """List shipped cards."""
    from importlib.metadata import entry_points

    from laager.base.files import read_document
    from laager.campaign.ruleset import GROUP

    rows = []
    for point in entry_points(group=GROUP):
        for name, path in find_ruleset(point.name).shipped_cards().items():
            data = read_document(path).data
            rows.append((name, point.name, str(data["title"]), str(data["source"]), str(path)))
    columns = tuple(Column(title) for title in ("Card", "Rules", "Title", "Source", "File"))
    sheet = Sheet("cards", "Campaigns that come with Laager", columns, tuple(sorted(rows)))
    if as_json:
        show_json(sheet.describe())
    else:
        show_sheets([sheet])


def rules(
    ruleset: str, clause: str, coverage: bool, search: str | None, readings: bool, as_json: bool
) -> None:
    """Browse the rules index."""
    from laager.campaign.clauses import RulesIndex

    package = find_package(ruleset)
    if readings:
        _readings(package, as_json)
        return
    index = RulesIndex.load_packaged(package)
    if coverage:
        _coverage(find_ruleset(ruleset), index, as_json)
        return
    if search is not None:
        found = list(index.search(search))
    elif clause:
        found = [index[_clause_id(index, clause)]]
    else:
        found = list(index.values())
    if as_json:
        show_json([one.model_dump(mode="json") for one in found])
        return
    if clause:
        one = found[0]
        say(f"{one.id}  {one.title}  ({one.handling})", "", one.text.strip(), "")
        if one.table:
            say(f"table: laager table {ruleset} {one.table}")
        if one.see:
            say("see " + ", ".join(one.see))
        return
    say(*(f"{one.id:<34} {one.title}" for one in found))


def _clause_id(index: RulesIndex, text: str) -> str:
    """Return the id of a clause named in full (`PL 3.47`) or without the system (`3.47`)."""
    short = {name.split(" ", 1)[1].lower(): name for name in index}
    names = {name.lower(): name for name in index} | short
    if text.lower() in names:
        return names[text.lower()]
    advice = did_you_mean(text, [*short, *index])
    raise RefusedError(Refusal.NO_SUCH, f"there is no clause {text!r}; {advice}")


def _coverage(system: PlayedRuleset, index: RulesIndex, as_json: bool) -> None:
    from laager.campaign.clauses import coverage

    rows = tuple(
        (one.clause, index[one.clause].title, one.handling.value, ", ".join(one.by))
        for one in coverage(index, system.package)
    )
    columns = tuple(Column(title) for title in ("Clause", "Title", "Handled", "By"))
    counts = {
        kind: sum(row[2] == kind for row in rows) for kind in ("computed", "asked", "reminded")
    }
    note = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    open_ones = sum(not row[3] for row in rows)
    sheet = Sheet(
        "coverage",
        f"{system.title}: every clause and how it is handled",
        columns,
        rows,
        (f"{len(rows)} clauses: {note}; {open_ones} without anything behind them",),
    )
    if as_json:
        show_json(sheet.describe())
    else:
        show_sheets([sheet])


def _readings(package: str, as_json: bool) -> None:
    from laager.campaign.readings import Readings

    readings = Readings.load_packaged(package)
    if as_json:
        show_json([reading.model_dump(mode="json") for reading in readings.values()])
        return
    for reading in readings.values():
        say(f"{reading.id} ({reading.rule}): {reading.question}")
        for name, meaning in reading.options.items():
            mark = "*" if name == reading.default else " "
            say(f"  {mark} {name}: {meaning}")
        say(f"    why: {reading.why}", "")


def table(ruleset: str, name: str | None, drm: int, as_json: bool) -> None:
    """Print a table with its odds, or the list of tables."""
    from laager.tables import load_packaged

    tables = load_packaged(find_package(ruleset), "tables.yaml")
    if name is None:
        rows = tuple((one.id, one.title, one.rule, one.dice.value) for one in tables.values())
        columns = tuple(Column(title) for title in ("Table", "Title", "Rule", "Roll"))
        sheets = [Sheet("tables", "Tables", columns, rows)]
    else:
        if name not in tables:
            advice = did_you_mean(name, tables)
            raise RefusedError(Refusal.NO_SUCH, f"there is no table {name!r}; {advice}")
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
            (
                _value(modifier),
                f"per {modifier.per}: {modifier.when}" if modifier.per else modifier.when,
                modifier.rule,
            )
            for modifier in one.modifiers
        )
        titles = (
            Column("DRM" if one.dice.value == "DR" else "drm"),
            Column("When"),
            Column("Rule"),
        )
        sheets.append(Sheet(f"{one.id}-modifiers", "Modifiers", titles, marks))
    return sheets
