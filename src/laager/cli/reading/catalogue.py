"""The commands of `laager catalogue`: what nations have, and what Design Your Own can buy by the owner's charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import Problem, Refusal, RefusedError, read_all
from laager.base.counting import count_of
from laager.cli.options import AsJson, Force, examples, group
from laager.cli.out import say, show, show_json
from laager.cli.reading.nation_types import app as nation_commands
from laager.cli.writing import OR_FORCE, check_free, write_texts

if TYPE_CHECKING:
    from laager.catalogue.dyo import DyoCatalogue, DyoNation, Month
    from laager.catalogue.dyo.overlay import Conflict


class Shipped(StrEnum):
    """Which shipped values lie under the files."""

    PUBLISHED = "published"
    HOUSE = "house"
    NONE = "none"


class Preferred(StrEnum):
    """Whose value counts where two files disagree."""

    FIRST = "first"
    SECOND = "second"


app = group("catalogue", "What nations have, and what Design Your Own can buy.")
app.registered_commands += nation_commands.registered_commands

Files = Annotated[list[Path] | None, typer.Argument(metavar="FILES", help="Catalogue files (YAML); later ones win.")]
Under = Annotated[
    Shipped, typer.Option("--set", metavar="SET", help="Shipped values beneath: published, house or none.")
]


@app.command(short_help="check catalogue files together", epilog=examples("laager catalogue check my-german.yaml"))
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Catalogue files (YAML), in order.")],
    under: Under = Shipped.PUBLISHED,
    json: AsJson = False,
) -> None:
    """Check catalogue files together, and list everything that is wrong with them."""
    from laager.catalogue.dyo import load_dyo
    from laager.catalogue.dyo.load import read_file

    catalogue = load_dyo(set=under.value, own=files)
    own = [read_file(path) for path in files]
    warnings = [*catalogue.warnings, *_strange(catalogue, own)]
    report = {"good": True, "nations": list(catalogue), "warnings": [str(warning) for warning in warnings]}
    good = (f"{nation.name}: good; {_contents(nation)}" for nation in catalogue.values())
    show(json, report, *(f"note: {warning}" for warning in warnings), *good)


def _strange(catalogue: DyoCatalogue, own: Sequence[Any]) -> list[Problem]:
    """Return what the files name otherwise than the campaign catalogues do."""
    from laager.catalogue import load_packaged, packaged_nations
    from laager.catalogue.dyo.checks import EntryPlaces, find_strange_names

    problems: list[Problem] = []
    for id_ in catalogue:
        if id_ in packaged_nations():
            reads = [read for read in own if read[1].nation == id_]
            known = load_packaged(id_)[id_]
            for read in reads:
                problems += find_strange_names(read[1], EntryPlaces([read]), known)
    return problems


def _contents(nation: DyoNation) -> str:
    from laager.catalogue.dyo import SECTIONS
    from laager.catalogue.dyo.gaps import SECTION_WORDS

    counts = {name: len(nation.entries_of(name)) for name in SECTIONS if name != "capabilities"}
    entered = [f"{count} of {SECTION_WORDS[name]}" for name, count in counts.items() if count]
    return ", ".join(entered) or "nothing entered yet"


@app.command(
    short_help="what is missing to buy for a date",
    epilog=examples(
        "laager catalogue gaps --nation german --date 1944-09",
        "laager catalogue gaps -n german -d 9/1944 my-german.yaml",
    ),
)
def gaps(
    nation: Annotated[str, typer.Option("--nation", "-n", metavar="NATION", help="Its id, such as german.")],
    date: Annotated[str, typer.Option("--date", "-d", metavar="MONTH", help="As 1944-09 or 9/1944.")],
    files: Files = None,
    under: Under = Shipped.PUBLISHED,
    json: AsJson = False,
) -> None:
    """List what a catalogue lacks to buy for a nation in a month, section by section."""
    from laager.catalogue.dyo import gaps as gaps_of
    from laager.catalogue.dyo import load_dyo

    month = read_month(date)
    missing_values = gaps_of(load_dyo(nation, set=under.value, own=files or ())[nation], month)
    if json:
        parts = ("section", "type", "field", "what")
        missing = [{part: getattr(gap, part) for part in parts} for gap in missing_values]
        show_json({"nation": nation, "date": str(month), "missing": missing})
        return
    if not missing_values:
        say(f"Nothing is missing to buy for {nation} in {month}.")
        return
    _tell_gaps(missing_values)
    say(f"{count_of(len(missing_values), 'value')} missing to buy for {nation} in {month}.")


def read_month(text: str) -> Month:
    """Return the month that `--date` names. Raises WrongUseError for others."""
    from laager.catalogue.dyo import Month
    from laager.cli.ending import WrongUseError

    try:
        return Month.of(text)
    except ValueError as err:
        raise WrongUseError(f"--date: {err}") from None


def _tell_gaps(missing: Iterable[Any]) -> None:
    """Print gaps by section, those of one thing on one line."""
    from itertools import groupby

    from laager.catalogue.dyo.gaps import SECTION_WORDS
    from laager.cli.out import say_wrapped

    for section, members in groupby(missing, lambda gap: gap.section):
        words = SECTION_WORDS[section]
        say(f"{words[0].upper()}{words[1:]}")
        for type_, same in groupby(members, lambda gap: gap.type):
            whats = [gap.what.removeprefix(f"{type_}: ") for gap in same]
            say_wrapped(", ".join(whats), "      ", f"  {type_}: " if type_ else "  ")


@app.command(
    short_help="write tables for a spreadsheet",
    epilog=examples(
        "laager catalogue export --csv tables my-german.yaml",
        "laager catalogue export --csv tables --set published",
        "laager catalogue export --csv tables --blank -n italian",
    ),
)
def export(
    csv: Annotated[Path, typer.Option("--csv", metavar="FOLDER", help="Where the tables go.")],
    files: Files = None,
    nation: Annotated[
        list[str] | None, typer.Option("--nation", "-n", metavar="NATION", help="Only this nation; repeatable.")
    ] = None,
    under: Under = Shipped.NONE,
    blank: Annotated[bool, typer.Option("--blank", help="Every section, with rows to fill in.")] = False,
    force: Force = False,
) -> None:
    """Write a catalogue as CSV tables, one a section: of files, or of what ships (--set).

    With --blank you get tables of every section, ready to fill in from your rulebook. Import skips
    rows that stay empty; facts that the rules state about a nation still count.
    """
    from laager.catalogue.dyo import catalogue_data, load_dyo, shipped_nations
    from laager.catalogue.dyo.cells import to_csv
    from laager.cli.ending import WrongUseError

    empty = blank and not files and under is Shipped.NONE
    if not files and under is Shipped.NONE and not (empty and nation):
        right = "name files, or --set house or --set published, or --blank and a --nation"
        raise WrongUseError(f"nothing to export; {right}")
    if empty and nation:
        tables = to_csv([_head_of(id_) for id_ in nation], blank=True)
    else:
        wanted = nation or ([] if files else shipped_nations(under.value))
        catalogue = load_dyo(*wanted, set=under.value, own=files or ())
        if nation:
            catalogue = type(catalogue)({id_: catalogue[id_] for id_ in nation})
        tables = to_csv(catalogue_data(catalogue), blank=blank)
    targets = {csv / f"{section}.csv": text for section, text in tables.items()}
    # The mark at the beginning tells spreadsheets that the text is UTF-8.
    _write({path: f"\ufeff{text}" for path, text in targets.items()}, force)


def _head_of(nation: str) -> dict[str, str]:
    """Return the file of a nation in which nothing is entered yet, as plain data."""
    from laager.catalogue.dyo import load_dyo, shipped_nations

    known = load_dyo(nation, set="published")[nation] if nation in shipped_nations("published") else None
    name = known.name if known else nation.replace("-", " ").title()
    return {"nation": nation, "name": name, "source": "my rulebook"}


@app.command(
    name="import",
    short_help="make catalogue files of tables",
    epilog=examples("laager catalogue import tables/squads.csv tables/guns.csv -o my-german.yaml"),
)
def import_(
    tables: Annotated[list[Path], typer.Argument(metavar="CSV", help="Tables, as laager catalogue export makes.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="PLACE", help="The file, or a folder for several nations.")
    ],
    force: Force = False,
) -> None:
    """Make catalogue files of CSV tables: one file for each nation."""
    from laager.base.files import read_text
    from laager.catalogue.dyo.cells import from_csv
    from laager.catalogue.dyo.load import nation_of
    from laager.catalogue.dyo.overlay import plain_data
    from laager.catalogue.dyo.write import to_yaml

    by_nation: dict[str, list[Any]] = {}
    texts = read_all(tables, lambda path: (str(path), read_text(path, "save the table as CSV in UTF-8")))
    for read in from_csv(texts):
        by_nation.setdefault(read[1].nation, []).append(read)
    nations = read_all(by_nation.values(), nation_of)
    if not nations:
        raise RefusedError(Refusal.NO_SUCH, "the tables have no rows", "nothing was written")
    made = {nation.id: to_yaml(plain_data(nation.file)) for nation in nations}
    if len(made) == 1 and not out.is_dir():
        _write({out: next(iter(made.values()))}, force)
    else:
        _write({out / f"{id_}.yaml": text for id_, text in made.items()}, force)


@app.command(
    short_help="make one file of two",
    epilog=examples(
        "laager catalogue merge mine.yaml yours.yaml -o ours.yaml",
        "laager catalogue merge mine.yaml yours.yaml -o ours.yaml --prefer first",
    ),
)
def merge(
    first: Annotated[Path, typer.Argument(metavar="A", help="A catalogue file.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another of the same nation.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file of both.")],
    prefer: Annotated[
        Preferred | None, typer.Option(metavar="WHICH", help="Whose value counts in a conflict: first or second.")
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Make one catalogue file of two of a nation, and list where they disagree.

    Values missing in one file come from the other. If they conflict, nothing is written unless
    --prefer says whose values count.
    """
    from laager.catalogue.dyo.load import nation_of, read_file
    from laager.catalogue.dyo.overlay import find_conflicts, plain_data, with_sources
    from laager.catalogue.dyo.write import to_yaml

    reads = [read_file(first), read_file(second)]
    upper, two = (with_sources(file) for _, file in reads)
    if upper.nation != two.nation:
        raise RefusedError(
            Refusal.BAD_ANSWER, f"{first} is of {upper.nation}, {second} of {two.nation}", "merge files of one nation"
        )
    conflicts = list(find_conflicts(upper, two))
    kept = conflicts and prefer is None
    if not kept:
        # The one that lies above counts.
        order = reads if prefer is Preferred.SECOND else reads[::-1]
        _write({out: to_yaml(plain_data(nation_of(order).file))}, force, quiet=json)
    if json:
        show_json({"written": not kept, "conflicts": [_conflict_data(each) for each in conflicts]})
    for conflict in conflicts if not json else ():
        say(f"conflict: {conflict}")
    if kept:
        raise RefusedError(
            Refusal.BAD_ANSWER,
            f"{first} and {second} disagree on {count_of(len(conflicts), 'value')}",
            "nothing was written; add --prefer first or --prefer second",
        )


def _conflict_data(conflict: Conflict) -> dict[str, Any]:
    from laager.catalogue.dyo.overlay import describe_value

    return {
        "section": conflict.section,
        "type": conflict.key,
        "field": conflict.field,
        "month": str(conflict.month) if conflict.month else None,
        "first": describe_value(conflict.first),
        "second": describe_value(conflict.second),
    }


def _write(texts: dict[Path, str], force: bool, quiet: bool = False) -> None:
    """Write files, all or none if one is there already; their folders are made."""
    check_free(*texts, force=force, or_else=OR_FORCE)
    for path in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_texts(texts, force=True, quiet=quiet)
