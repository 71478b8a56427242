"""The reference card of a ruleset: sequence of play, tables with modifiers, readings, clauses."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Clause, Column, Handling, Readings, RulesIndex
from laager.campaign.house import PRINTED, printed_tables
from laager.campaign.house.in_campaign import campaign_house_lines
from laager.campaign.readings import readings_in_force
from laager.sheets.desk import Desk
from laager.sheets.leaf import Block, FormLine, FormRow, FormTable, Leaf, Lines, bold
from laager.sheets.offer import FormOffer
from laager.tables import Table, TableModifier, TableSet
from laager.tables.bounds import Span

TABLES = "tables.yaml"
"""The file of tables in a ruleset's package."""


def reference_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the one reference card of a campaign."""
    title = f"{desk.words('Reference card')}: {desk.ruleset.title}"

    def make() -> Leaf:
        blocks = tuple(_blocks(desk))
        return Leaf(title, desk.boxes(), blocks, landscape=False, columns=2, size=7.0)

    yield FormOffer("reference", title, "", make)


def _blocks(desk: Desk) -> Iterator[Block]:
    words = desk.words
    yield _sequence(desk)
    for tables in _tables(desk):
        for table in tables.values():
            yield _table(desk, table)
            if table.modifiers:
                yield _modifiers(desk, table)
        if tables.source:
            yield Lines("", (FormLine("", " ".join(tables.source.split()), words("Source of these tables:")),), wide=0)
    house = tuple(FormLine(line.clause, "; ".join(line.what), line.why) for line in campaign_house_lines(desk.campaign))
    if house:
        yield Lines(words("House rules in force"), house, wide=0)
    readings = tuple(_readings(desk))
    if readings:
        yield Lines(words("Readings in force"), readings, wide=0)
    index = RulesIndex.load_packaged(desk.ruleset.package)
    yield Lines(words("Clauses that players carry out or decide, in our words"), tuple(_clauses(index)), wide=0)
    rest = tuple(_headings(index))
    if rest:
        yield Lines(words("Clauses that Laager carries out by itself"), rest, wide=0)


def _sequence(desk: Desk) -> FormTable:
    """Return the steps in the order of the rules, each once."""
    steps: dict[tuple[str, str], FormRow] = {}
    for step in desk.campaign.ruleset.steps.values():
        who = desk.words("each side") if step.each_side else ""
        row = FormRow((bold(step.clause), step.title, who))
        steps.setdefault((step.clause, step.title), row)
    columns = (Column(""), Column(""), Column(""))
    return FormTable(desk.words("Sequence of play"), columns, tuple(steps.values()), weights=(0, 1, 0))


# Tables -------------------------------------------------------------------------------------------


def _tables(desk: Desk) -> Iterator[TableSet]:
    """Yield the tables of the rules, then those that the module's owner or the card brings."""
    package = desk.ruleset.package
    if printed_tables(package):
        yield (desk.campaign.context.house or PRINTED).tables(printed_tables(package))
    own = getattr(desk.campaign.context, "chart_tables", None)
    if isinstance(own, TableSet):
        yield own


def _table(desk: Desk, table: Table) -> FormTable:
    words = desk.words
    names = table.columns or ("result",)
    heads = [name.replace("-", " ").title() for name in table.columns] or [words("Result")]
    rows = tuple(
        FormRow(
            (
                bold(_span(desk, odds.row.span)),
                *(table.words(odds.row.results[name]) for name in names),
                f"{100 * odds.ways / odds.total:.0f} %",
            )
        )
        for odds in table.odds()
    )
    columns = (
        Column(words("Final {dice}", dice=table.dice.value)),
        *(Column(head) for head in heads),
        Column(words("Odds"), "right"),
    )
    title = f"{words.say(table.title)} ({table.rule})"
    weights = (0.0, *(1.0 for _ in heads), 0.0)
    return FormTable(title, columns, rows, tuple(table.notes), weights=weights)


def _span(desk: Desk, span: Span) -> str:
    low, high = span
    return desk.words("{low} to {high}", low=low, high=high) if None not in span and low != high else str(span)


def _modifiers(desk: Desk, table: Table) -> FormTable:
    rows = tuple(
        FormRow((bold(_value(desk, modifier)), _words_of(desk, modifier), modifier.rule))
        for modifier in table.modifiers
    )
    drm = "DRM" if table.dice.value == "DR" else "drm"
    columns = (Column("", "right"), Column(""), Column(""))
    return FormTable(f"{desk.words.say(table.title)}: {drm}", columns, rows, weights=(0, 1, 0))


def _value(desk: Desk, modifier: TableModifier) -> str:
    return desk.words("as given") if modifier.value is None else f"{modifier.value:+d}"


def _words_of(desk: Desk, modifier: TableModifier) -> str:
    if not modifier.per:
        return modifier.when
    say = desk.words.say
    return desk.words("per {what}: {when}", what=say(modifier.per), when=say(modifier.when))


# Readings and clauses -----------------------------------------------------------------------------


def _readings(desk: Desk) -> Iterator[FormLine]:
    known = Readings.load_packaged(desk.ruleset.package)
    chosen = readings_in_force(desk.seen.opening, desk.seen.state)
    for reading in known.values():
        option = chosen.get(reading.id, reading.default)
        meaning = reading.options.get(option, "")
        yield FormLine(reading.rule, " ".join(meaning.split()), f"{reading.id}: {option}.")


def _clauses(index: RulesIndex) -> Iterator[FormLine]:
    """Yield by chapter what is asked or reminded: the players' part of the rules."""
    for chapter, clauses in index.chapters.items():
        listed = [clause for clause in clauses if _players(clause)]
        if listed:
            yield FormLine("", "", chapter, "chapter")
        for clause in listed:
            yield FormLine(clause.id, " ".join(clause.text.split()), f"{clause.title}.")


def _players(clause: Clause) -> bool:
    return clause.handling is not Handling.COMPUTED or bool(clause.remind)


def _headings(index: RulesIndex) -> Iterator[FormLine]:
    """Yield by chapter the titles of what is computed, run together."""
    for chapter, clauses in index.chapters.items():
        listed = [clause for clause in clauses if not _players(clause)]
        if listed:
            yield FormLine("", "", chapter, "chapter")
            yield FormLine("", "; ".join(f"{clause.id} {clause.title}".strip() for clause in listed))
