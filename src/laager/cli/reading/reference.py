"""Commands for reading: the rules clause by clause, tables with their odds."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laager.base import Refusal, RefusedError, did_you_mean
from laager.cli.ending import WrongUseError
from laager.cli.options import READ, AsJson, RulesetName, examples
from laager.cli.out import listing, print_sheets, say, say_wrapped, show_json, show_sheets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from laager.campaign import Clause, RulesIndex, Sheet
    from laager.campaign.engine import Campaign
    from laager.campaign.house import HouseLine
    from laager.campaign.ruleset import PlayedRuleset
    from laager.tables import Table, TableModifier

PlayedIn = Annotated[
    Path | None,
    typer.Option("--campaign", "-c", metavar="FILE", help="As this campaign plays it: with its house rules."),
]

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""

TABLES = "tables.yaml"
"""The file of tables in a ruleset's package."""

HANDLED = {
    "computed": "Laager carries it out",
    "asked": "Laager asks what only the players know, and does the rest",
    "reminded": "the players do it; Laager reminds them",
}
"""What the handling of a clause means, in words."""


SWITCHES = {"off": "leave it out (off), or leave it to the players (agree)", "agree": "leave it to the players (agree)"}
"""What a house can do with a clause as a whole, in words."""


@app.command(
    rich_help_panel=READ,
    short_help="the rules, clause by clause",
    epilog=examples(
        "laager rules pl                      all clauses",
        "laager rules pl 3.47",
        "laager rules pl 3.47 -c tuesday.laager   as this campaign plays it",
        'laager rules pl --search "no man\'s land"',
    ),
)
def rules(
    ruleset: RulesetName,
    clause: Annotated[list[str] | None, typer.Argument(metavar="CLAUSE", help="A clause, such as 3.47.")] = None,
    code: Annotated[bool, typer.Option("--code", help="With a clause: where its code and figures are.")] = False,
    coverage: Annotated[bool, typer.Option("--coverage", help="How each clause is handled, and by what.")] = False,
    search: Annotated[str | None, typer.Option(metavar="WORDS", help="Clauses that speak of this.")] = None,
    readings: Annotated[bool, typer.Option("--readings", help="Where groups read the rules differently.")] = False,
    card: Annotated[
        Path | None,
        typer.Option("--card", metavar="FILE", help="With --coverage: as it is with the charts of this card."),
    ] = None,
    campaign: PlayedIn = None,
    json: AsJson = False,
) -> None:
    """Browse the rules: a clause, a search, the readings, or what Laager does about each clause."""
    from laager.campaign import RulesIndex
    from laager.campaign.ruleset import find_package, find_ruleset

    named = " ".join(clause or [])
    if sum((bool(named), coverage, search is not None, readings)) > 1:
        raise WrongUseError("choose one of a clause, --search, --coverage, --readings")
    if card is not None and not coverage:
        raise WrongUseError("--card goes with --coverage")
    if code and not named:
        raise WrongUseError("--code goes with a clause")
    package = find_package(ruleset)
    if readings:
        _readings(package, _open_played(campaign, ruleset) if campaign else None, json)
        return
    index = RulesIndex.load_packaged(package)
    if coverage:
        _coverage(find_ruleset(ruleset), index, card, json)
    elif code:
        _code(package, index[_clause_id(index, named)], json)
    elif named:
        chosen = index[_clause_id(index, named)]
        _clause(ruleset, index, chosen, _house_lines(campaign, ruleset, chosen.id), json)
        if campaign is not None and not json:
            say(*_lines_of_readings(_open_played(campaign, ruleset), package, chosen))
    else:
        _list(ruleset, index, search, json)


def _list(ruleset: str, index: RulesIndex, search: str | None, as_json: bool) -> None:
    """Print the clauses that a search finds; all of them, by chapter, without one."""
    clauses = list(index.values()) if search is None else list(index.search(search))
    if as_json:
        show_json([clause.model_dump(mode="json") for clause in clauses])
        return
    if not clauses:
        raise RefusedError(Refusal.NO_SUCH, f"no clause speaks of {search!r}")
    chapter = ""
    room = max(len(clause.id) for clause in clauses)
    for clause in clauses:
        heading = index.chapter_of(clause.id) if search is None else ""
        if heading != chapter:
            say("", heading) if chapter else say(heading)
            chapter = heading
        say(f"  {clause.id:<{room}}  {clause.heading}".rstrip())
    say("", f"read one with: laager rules {ruleset} {_short(clauses[0].id)}")


def _house_lines(campaign: Path | None, ruleset: str, clause: str) -> Sequence[HouseLine]:
    """Return what a campaign plays differently under a clause. Raises WrongUseError if it plays by other rules."""
    if campaign is None:
        return ()
    from laager.campaign.house.in_campaign import campaign_house_lines

    played = _open_played(campaign, ruleset)
    house = played.context.house
    changed = house.changed_for(clause) if house else ()
    return [line for line in campaign_house_lines(played) if line.clause in changed]


def _lines_of_readings(played: Campaign, package: str, clause: Clause) -> Iterator[str]:
    """Yield how a campaign reads a clause that can be read in several ways."""
    from laager.campaign import Readings
    from laager.campaign.readings import readings_in_force, ruled_readings

    readings = Readings.load_packaged(package)
    chosen = readings.in_force(readings_in_force(played.opening, played.state))
    for name in clause.readings:
        by_ruling = ", by a ruling" if name in ruled_readings(played.state) else ""
        yield f"in this campaign {name} is {chosen[name]}{by_ruling}"


def _open_played(campaign: Path, ruleset: str) -> Campaign:
    from laager.cli.play.campaign_file import looked_at

    played = looked_at(campaign)
    if played.ruleset.id != ruleset:
        raise WrongUseError(f"{campaign} plays by {played.ruleset.id}, not by {ruleset}")
    return played


def _clause(ruleset: str, index: RulesIndex, clause: Clause, house: Sequence[HouseLine], as_json: bool) -> None:
    from laager.campaign.clauses import Switch

    if as_json:
        changed = {"house_rules": [asdict(line) for line in house]} if house else {}
        show_json(clause.model_dump(mode="json") | changed)
        return
    say(f"{clause.id}  {clause.heading}".rstrip())
    say(f"{index.chapter_of(clause.id)}; {HANDLED[clause.handling]}", "")
    say_wrapped(clause.text)
    say("")
    for line in house:
        say_wrapped(str(line), "  ", "house rule: ")
        say("")
    say(*(f"table: laager table {ruleset} {name}" for name in clause.tables))
    if clause.readings:
        say(f"readings: {', '.join(clause.readings)} (laager rules {ruleset} --readings)")
    say(*(f"see {name}  {index[name].heading}".rstrip() for name in clause.see))
    if clause.switch is not Switch.NO:
        say(f"house rules can {SWITCHES[clause.switch]}")


def _code(package: str, clause: Clause, as_json: bool) -> None:
    """Print where a clause is carried out, in code and in data files: file, line, name, what it does."""
    from laager.campaign.clause_places import places_of

    places = places_of(package, clause.id)
    if as_json:
        show_json([asdict(place) for place in places])
        return
    for place in places:
        say(f"{place.file}:{place.line}  {place.name}")
        if place.about:
            say_wrapped(place.about, "    ")
    if not places:
        say(f"{clause.id} has no code: {HANDLED[clause.handling]}")


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
    for covered in coverage(index, system.package):
        handled, chart = charts.get(covered.clause, (covered.handling.value, ""))
        by = ", ".join(covered.by)
        head = (covered.clause, index[covered.clause].title, handled)
        rows.append((*head, chart, by) if charts else (*head, by))
    counts = {kind: sum(row[2] == kind for row in rows) for kind in ("computed", "asked", "reminded")}
    note = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    open_ones = sum(not row[-1] for row in rows)
    notes = [f"{len(rows)} clauses: {note}; {open_ones} without anything behind them"]
    if charts and card is None:
        notes.append("asked until the charts named are filled in; --card FILE shows it for a card")
    title = f"{system.title}: every clause and how Laager handles it"
    sheet = listing(title, titles, rows, notes, id="coverage")
    if as_json:
        show_json(sheet.describe())
    else:
        show_sheets([sheet])


def _readings(package: str, played: Campaign | None, as_json: bool) -> None:
    """Print the readings; of a campaign, which are in force in it."""
    from laager.campaign import Readings
    from laager.campaign.readings import readings_in_force, ruled_readings

    readings = Readings.load_packaged(package)
    chosen = readings.in_force(readings_in_force(played.opening, played.state) if played else {})
    ruled = ruled_readings(played.state) if played else {}
    if as_json:
        more = {name: {"in_force": chosen[name]} if played else {} for name in readings}
        show_json([reading.model_dump(mode="json") | more[name] for name, reading in readings.items()])
        return
    if not readings:
        say("these rules leave nothing to be read in several ways")
        return
    for reading in readings.values():
        say(f"{reading.id} ({reading.rule}){', by a ruling' if reading.id in ruled else ''}")
        say_wrapped(reading.question, "  ")
        for name, meaning in reading.options.items():
            mark = "*" if name == chosen[reading.id] else " "
            say_wrapped(meaning, "      ", f"  {mark} {name}: ")
        say_wrapped(reading.why, "    ", "    why: ")
        say_wrapped(reading.changes, "    ", "    changes: ")
        say("")
    otherwise = "" if played else " unless the card or laager new --reading ID=OPTION says otherwise"
    say(f"* is in force{otherwise}")


@app.command(
    rich_help_panel=READ,
    short_help="a table with its odds",
    epilog=examples("laager table pl                          all tables", "laager table pl cp-replenishment --drm +2"),
)
def table(
    ruleset: RulesetName,
    name: Annotated[str | None, typer.Argument(metavar="TABLE", help="The table; if left out, their list.")] = None,
    drm: Annotated[int, typer.Option(min=-99, max=99, metavar="N", help="Sum of the modifiers.")] = 0,
    campaign: PlayedIn = None,
    json: AsJson = False,
) -> None:
    """Print a table with the exact odds of each row."""
    from importlib.resources import files

    from laager.campaign.ruleset import find_package
    from laager.tables import TableSet, load_packaged

    package = find_package(ruleset)
    # Rules whose tables are all the owner's to fill in print none of their own.
    own = files(package).joinpath(TABLES).is_file()
    tables = load_packaged(package, TABLES) if own else TableSet({}, "")
    if campaign is not None:
        house = _open_played(campaign, ruleset).context.house
        tables = house.tables(tables) if house else tables
    if name is None:
        rows = [(each.id, each.title, each.rule, each.dice.value) for each in tables.values()]
        notes = () if own else (f"what a card of {ruleset} names: laager chart fill {ruleset}",)
        sheets = [listing("Tables", ("Table", "Title", "Rule", "Roll"), rows, notes)]
    else:
        if name not in tables:
            advice = did_you_mean(name, tables) if tables else f"the rules {ruleset} print none"
            raise RefusedError(Refusal.NO_SUCH, f"there is no table {name!r}", advice)
        sheets = _table_sheets(tables[name], drm)
    print_sheets(sheets, json)


def _value(modifier: TableModifier) -> str:
    if modifier.off:
        return "off"
    return "as given" if modifier.value is None else f"{modifier.value:+d}"


def _table_sheets(table: Table, drm: int) -> list[Sheet]:
    from laager.campaign import Column, Sheet

    columns = table.columns or ("result",)
    rows = tuple(
        (
            f"{odds.row.span}",
            *(table.words(odds.row.results[column]) for column in columns),
            f"{odds.ways}/{odds.total}",
            f"{100 * odds.ways / odds.total:.1f} %",
        )
        for odds in table.odds(drm)
    )
    heads = (Column(f"Final {table.dice.value}", "right"), *(Column(c.title()) for c in columns),
             Column("Ways", "right"), Column("Odds", "right"))  # fmt: skip
    title = f"{table.title} ({table.rule})" + (f" at {drm:+d}" if drm else "")
    sheets = [Sheet(table.id, title, heads, rows, tuple(table.notes))]
    if table.modifiers:
        marks = [
            (_value(modifier), f"per {modifier.per}: {modifier.when}" if modifier.per else modifier.when, modifier.rule)
            for modifier in table.modifiers
        ]
        drm_title = "DRM" if table.dice.value == "DR" else "drm"
        sheets.append(listing("Modifiers", (drm_title, "When", "Rule"), marks, id=f"{table.id}-modifiers"))
    return sheets
