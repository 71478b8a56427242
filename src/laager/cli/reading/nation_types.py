"""`laager catalogue list`: the types that a nation has, as a designer looks them up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base.counting import count_of
from laager.cli.options import AsJson, examples
from laager.cli.out import listing, print_sheets, say, show_json

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.catalogue import Kind, Nation, UnitType
    from laager.catalogue.dyo import Month, Series

app = typer.Typer()
"""`laager.cli.reading.catalogue` takes this command over as its own."""

CAPITALS = frozenset({"mg", "atr", "at", "aa"})
"""The sorts that are abbreviations."""


@app.command(
    name="list",
    short_help="the nations and what they have",
    epilog=examples(
        "laager catalogue list                          the nations",
        "laager catalogue list german",
        "laager catalogue list german --kind afv --kind gun --date 1943-07",
        "laager catalogue list volunteers --own volunteers.yaml",
    ),
)
def list_(
    nation: Annotated[
        str | None, typer.Argument(metavar="NATION", help="Its id, such as german; if left out, all nations.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", "-k", metavar="KIND", help="Only these, such as squad; repeatable.")
    ] = None,
    date: Annotated[
        str | None, typer.Option("--date", "-d", metavar="MONTH", help="Only what there is in 1944-09, or 9/1944.")
    ] = None,
    own: Annotated[
        list[Path] | None, typer.Option("--own", metavar="FILE", help="A catalogue file of yours; repeatable.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the nations of the catalogues, or the types of one, by the names that cards use.

    The months are those of Design Your Own's house values. A type whose months they don't know is
    listed for every date.
    """
    from laager.catalogue import load_catalogue, load_packaged, packaged_nations
    from laager.catalogue.dyo.months import is_had, months_of
    from laager.cli.ending import WrongUseError

    catalogue = load_catalogue(own or ())
    if nation is None:
        if kind or date:
            raise WrongUseError("name the nation whose types to list; laager catalogue list shows the nations")
        _show_nations({**load_packaged(*packaged_nations()), **catalogue}, json)
        return
    chosen = catalogue[nation] if nation in catalogue else load_packaged(nation)[nation]
    kinds, month = [_kind(word) for word in kind or ()], _month(date) if date else None
    months = months_of(chosen.id)
    units = [
        unit
        for unit in _units(chosen)
        if (not kinds or unit.kind in kinds) and (month is None or is_had(unit, months.get(unit.type), month))
    ]
    if json:
        types = [_dump_type(unit, months.get(unit.type)) for unit in units]
        show_json({"nation": chosen.id, "name": chosen.name, "side": chosen.side, "types": types})
        return
    if not units:
        say(f"The catalogue of {chosen.id} has no such type{f' in {month}' if month else ''}.")
        return
    print_sheets([_sheet(chosen, units, months, month)], json)


def _kind(word: str) -> Kind:
    from laager.base import did_you_mean
    from laager.catalogue import Kind
    from laager.cli.ending import WrongUseError

    try:
        return Kind(word)
    except ValueError:
        known = [kind.value for kind in Kind]
        raise WrongUseError(f"--kind: {word!r} is not a kind; {did_you_mean(word, known)}") from None


def _month(text: str) -> Month:
    from laager.cli.reading.catalogue import read_month

    return read_month(text)


def _units(nation: Nation) -> Iterator[UnitType]:
    """Yield the types of a nation, kind by kind, in the order of its files."""
    from laager.catalogue import Kind

    for kind in Kind:
        for text in nation.types(kind):
            yield nation.unit(text, kind)


def _months_in_words(unit: UnitType, months: Series[Any] | None) -> str:
    """Return the months of a type in words: `1943..1944-06`, `always`, "" if nobody knows."""
    from laager.catalogue.dyo import Series

    until = getattr(unit, "until", None)
    if until is not None:
        return f"..{until}"
    if months is None:
        return ""
    had = Series.of_months([None if value is None else True for value in months.months])
    return ", ".join(str(span.period) for span in had.spans) or ("always" if had.other else "never")


def _show_nations(nations: Mapping[str, Nation], as_json: bool) -> None:
    if as_json:
        show_json(
            [
                {"nation": id_, "name": nation.name, "side": nation.side, "types": len(list(_units(nation)))}
                for id_, nation in nations.items()
            ]
        )
        return
    rows = [
        (id_, nation.name, nation.side.value, count_of(len(list(_units(nation))), "type"))
        for id_, nation in nations.items()
    ]
    note = "what one of them has: laager catalogue list NATION"
    print_sheets([listing("Nations", ("Nation", "Name", "Side", "Has"), rows, (note,))], as_json)


def _dump_type(unit: UnitType, months: Series[Any] | None) -> dict[str, Any]:
    """Return all that a catalogue says of a type, as plain data."""
    data = {field.name: getattr(unit, field.name) for field in fields(unit)}
    data = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in data.items()}
    return {**data, "months": _months_in_words(unit, months) or None}


def _sheet(nation: Nation, units: Sequence[UnitType], months: Mapping[str, Series[Any]], month: Month | None) -> Sheet:
    rows: list[tuple[str, ...]] = [
        (
            unit.type,
            unit.kind.value,
            _describe_type(unit),
            str(unit.cvp),
            _months_in_words(unit, months.get(unit.type)),
            unit.note,
        )
        for unit in units
    ]
    columns: tuple[str, ...] = ("Type", "Kind", "What it is", "CVP", "When", "Note")
    if not any(row[4] for row in rows):
        rows, columns = [(*row[:4], row[5]) for row in rows], (*columns[:4], "Note")
    notes = [count_of(len(rows), "type")]
    if month is not None and not months:
        notes.append(f"Laager knows no months of {nation.name} types: those of every date are listed")
    elif month is not None:
        notes.append("a type without months is listed for every date")
    if months or any(unit.is_house("cvp") for unit in units):
        values = "CVP of Guns and vehicles, and months," if months else "CVP of Guns and vehicles"
        notes.append(f"{values} are Laager's own (house) values")
    return listing(f"{nation.name}: what its catalogue has", columns, rows, tuple(notes), id=nation.id)


def _describe_type(unit: UnitType) -> str:
    """Return what a type is beyond its kind, in a few words."""
    names = ("grade", "sort")
    words = [getattr(unit, name).replace("-", " ") for name in names if getattr(unit, name, "")]
    words = [word.upper() if word in CAPITALS else word for word in words]
    for name, before in (("half", "half-squad "), ("whole", "of "), ("stands_for", "for "), ("crew", "crew ")):
        value = getattr(unit, name, None)
        if value and not (name == "whole" and getattr(unit, "half", None)):
            words.append(f"{before}{value}")
    words += sorted(trait.value for trait in getattr(unit, "traits", ()))
    passengers = getattr(unit, "passengers", 0)
    if passengers:
        words.append(f"carries {passengers:g} squad{'s' * (passengers > 1)}")
    return ", ".join(words)
