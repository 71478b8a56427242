"""The commands of `laager chart`: the charts of a historical module, entered by its owner."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.blanks import BlanksError
from laager.base.counting import count_of, plural
from laager.cli.ending import WrongUseError
from laager.cli.options import AsJson, Force, RulesetName, examples, group
from laager.cli.out import say, show, show_json
from laager.cli.writing import OR_FORCE, check_free, put, write_texts
from laager.kinds import CHECKERS, KIND_NAMES, kind_named

if TYPE_CHECKING:
    from laager.campaign import PlayedRuleset, RulesIndex
    from laager.rules.board.hasl.ruleset import HaslRuleset

app = group("chart", "Historical campaigns: enter and check the charts of a module.")

ChartName = Annotated[
    str | None, typer.Argument(metavar="CHART", help="Which, such as axis-rg; if left out, their list.")
]

KINDS = ("hasl-charts", "tables", "hasl-card")
"""What `laager chart check` checks."""


@app.command(
    short_help="write files of charts and tables to be filled in",
    epilog=examples("laager chart fill abtf -o my-charts.yaml"),
)
def fill(
    ruleset: RulesetName,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The charts; the tables go next to them.")
    ] = Path("charts.yaml"),
    force: Force = False,
) -> None:
    """Write files of charts and tables with all that a module's owner can fill in.

    Each chart says what it decides, and which rules Laager carries out once you fill it in. Laager
    asks the players for what you leave empty. Both files are valid as they are written.
    """
    from laager.rules.board.hasl.skeleton import charts_text, tables_text

    rules = _historical(ruleset)
    tables = tables_file(out)
    texts = {out: charts_text(rules, tables.name), tables: tables_text(rules)}
    write_texts(texts, force)
    say(f"check them with: laager chart check {out} {tables}")


def tables_file(charts: Path) -> Path:
    """Return the file of tables that goes with a file of charts: `my-tables.yaml` for `my-charts.yaml`."""
    stem = charts.stem
    name = f"{stem.removesuffix('charts')}tables" if stem.endswith("charts") else f"{stem}-tables"
    return charts.with_name(f"{name}{charts.suffix}")


def _historical(name: str) -> HaslRuleset[Any, Any]:
    """Return a rule system of the family. Raises RefusedError for another one."""
    from laager.campaign import find_ruleset
    from laager.rules.board.hasl.ruleset import HaslRuleset

    rules = find_ruleset(name)
    if not isinstance(rules, HaslRuleset):
        sentence = f"the rules {name} have no charts to be filled in; abtf, er and hasl have"
        raise RefusedError(Refusal.NO_SUCH, sentence)
    return rules


@app.command(
    short_help="check charts and tables, or a card with all that it names",
    epilog=examples("laager chart check my-charts.yaml my-tables.yaml", "laager chart check my-card.yaml"),
)
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Files of charts, of tables, or cards.")],
    json: AsJson = False,
) -> None:
    """Check files of charts and tables by themselves, or a card with all that it names.

    You see everything that is wrong with any of them.
    """
    good: list[dict[str, object]] = []
    problems: list[Problem] = []
    for path in files:
        try:
            kind, contents, warnings = check_file(path)
        except BlanksError as left:
            good.append({"file": str(path), "blanks": [str(blank.problem) for blank in left.blanks]})
            if not json:
                say(*(str(blank.problem) for blank in left.blanks), f"{path}: nothing is wrong so far. {left.told}")
            continue
        except DataError as err:
            problems += err.problems
            continue
        good.append({"file": str(path), "kind": kind, "contents": contents, "warnings": warnings})
        if not json:
            for warning in warnings:
                say(f"note: {warning}")
            say(f"{path} is valid: {KIND_NAMES[kind]}; {contents}")
    if problems:
        raise DataError(problems)
    if json:
        show_json({"good": True, "files": good})


@app.command(
    short_help="a chart as CSV, for a spreadsheet",
    epilog=examples("laager chart export my-charts.yaml", "laager chart export my-charts.yaml axis-rg -o rg.csv"),
)
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of charts, of tables, or a card.")],
    chart: ChartName = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="CSV", help="Else it is printed.")] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write a chart as CSV; without CHART, list the charts of a file and how many blanks each has.

    In the CSV a blank is a `?`. Change it in a spreadsheet and bring it back with `laager chart import`.
    """
    from laager.base.files import read_document
    from laager.rules.board.hasl.grids.sheets import find_grid, overview, to_csv

    data = read_document(file).data
    kind = _with_grids(file, data)
    if chart is None:
        contents = overview(kind, data)
        overviews = [
            {"chart": each.grid.id, "title": each.grid.title, "rows": each.rows, "blanks": each.blanks}
            for each in contents
        ]
        lines = (
            f"{each.grid.id:<28}{each.rows:>4} {plural(each.rows, 'row'):<4}{each.blanks:>5} "
            f"{plural(each.blanks, 'blank'):<6}  {each.grid.title}"
            for each in contents
        )
        show(json, overviews, *lines)
        return
    grid = find_grid(kind, data, chart)
    text = to_csv(grid, data)
    if json:
        rows = [list(row.cells) for row in grid.rows(data)]
        show_json({"chart": grid.id, "columns": [column.heading for column in grid.columns], "rows": rows})
    elif out is None:
        sys.stdout.write(text.replace("\r\n", "\n"))
    else:
        check_free(out, force=force, or_else=OR_FORCE)
        # With the mark, a spreadsheet knows that it is UTF-8.
        out.write_bytes(text.encode("utf-8-sig"))
        say(f"written: {out}")


@app.command(
    name="import",
    short_help="take a chart from CSV",
    epilog=examples("laager chart import my-charts.yaml axis-rg rg.csv"),
)
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of charts, of tables, or a card.")],
    chart: Annotated[str, typer.Argument(metavar="CHART", help="Which; laager chart export lists them.")],
    source: Annotated[Path, typer.Argument(metavar="CSV", help="With a line of headings, or in the chart's order.")],
    force: Annotated[bool, typer.Option("--force", help="Keep it even if the check finds something wrong.")] = False,
) -> None:
    """Put the cells of a CSV into a file; what the chart doesn't show stays as it is.

    Columns that the headings don't name are left as they are. If a cell can't be read, or if something is wrong
    with the file that wasn't before, nothing is changed.
    """
    from laager.base.files import parse_document, read_text
    from laager.rules.board.hasl.grids.sheets import find_grid, from_csv, overview
    from laager.rules.board.hasl.grids.writing import CellsError, write_cells

    text = read_text(file)
    data = parse_document(text, str(file)).data
    kind = _with_grids(file, data)
    grid = find_grid(kind, data, chart)
    csv = from_csv(grid, data, read_text(source), str(source))
    try:
        made = write_cells(text, str(file), grid, csv.cells).text
    except CellsError as err:
        raise DataError(csv.locate_problems(err, grid, str(source))) from None
    if not force:
        _check_new(file, kind, text, made)
    put(file, made.encode())
    after = next(each for each in overview(kind, parse_document(made, str(file)).data) if each.grid.id == chart)
    left = f"; {count_of(after.blanks, 'blank is', 'blanks are')} left in it" if after.blanks else ""
    say(f"{file}: {grid.title} has {count_of(after.rows, 'row')}{left}")


def _with_grids(file: Path, data: object) -> str:
    """Return the kind of a file that has charts. Raises RefusedError for another one."""
    from laager.rules.board.hasl.grids.sheets import GRIDS

    kind = kind_named(data)
    if kind not in GRIDS:
        message = f"{file} has no charts that can be a sheet"
        raise RefusedError(Refusal.BAD_DATA, message, f"files with charts are {', '.join(GRIDS)}")
    return kind


def _check_new(file: Path, kind: str, before: str, now: str) -> None:
    """Raise DataError for what is wrong with a file's new text, and wasn't with the one before."""
    old = {(problem.field, problem.what) for problem in _problems(file, kind, before)}
    fresh = [problem for problem in _problems(file, kind, now) if (problem.field, problem.what) not in old]
    if fresh:
        raise DataError(fresh, heading=f"{file} is as it was; --force keeps it anyway. With these cells:")


def _problems(file: Path, kind: str, text: str) -> list[Problem]:
    """Return what the check says of a text as if it were in a file; blanks aren't problems."""
    # Next to it, so that a card finds the files that it names.
    handle, name = tempfile.mkstemp(".yaml", ".laager-", file.parent)
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        CHECKERS[kind](path)
    except BlanksError:
        return []
    except DataError as err:
        return [replace(problem, file=problem.file.replace(str(path), str(file))) for problem in err.problems]
    finally:
        path.unlink()
    return []


def check_file(path: Path) -> tuple[str, str, list[str]]:
    """Check one file: its kind, what is in it, and what is doubtful. Raises DataError."""
    from laager.base.files import read_document
    from laager.rules.board.hasl.card.loading import load_chart_tables, load_charts

    document = read_document(path)
    data = document.data
    kind = kind_named(data)
    if kind == "hasl-charts":
        charts, doubts = load_charts(path)
        return kind, contents_in_words(charts), [str(doubt) for doubt in doubts]
    if kind == "tables":
        tables, doubts = load_chart_tables(path)
        return kind, ", ".join(tables) or "nothing yet", [str(doubt) for doubt in doubts]
    if kind == "hasl-card":
        from laager.campaign.cards import rules_of

        made = _historical(rules_of(data)).read_card(path, {})
        return kind, made.title, list(made.warnings)
    message = f"{kind!r} isn't a kind of file that this checks" if kind else "it doesn't say its kind"
    right = f"begin with laager: KIND/1; kinds are {', '.join(KINDS)}"
    raise DataError([document.problem(("laager",), message, right)])


def waiting(system: PlayedRuleset, index: RulesIndex, card: Path | None) -> dict[str, tuple[str, str]]:
    """Return the clauses that wait for a chart: how each is handled, and what makes it computed.

    With a card, a clause is computed if all that it waits for is filled in there. Raises DataError
    for a card that isn't valid.
    """
    from laager.campaign import Handling
    from laager.rules.board.hasl.card.filling import charts_of, is_filled_in
    from laager.rules.board.hasl.context import Hasl
    from laager.rules.board.hasl.ruleset import HaslRuleset

    if not isinstance(system, HaslRuleset):
        if card is not None:
            raise WrongUseError("--card is for historical campaigns (abtf, er, hasl)")
        return {}
    cg: Hasl | None = None
    if card is not None:
        cg = system.context(system.read_card(card, {}).setting)
    handled_clauses = {}
    for clause in index.values():
        charts = charts_of(clause)
        if clause.handling is Handling.ASKED and charts:
            done = cg is not None and is_filled_in(cg, clause)
            handled = Handling.COMPUTED if done else clause.handling
            handled_clauses[clause.id] = (handled.value, "; ".join(chart.where for chart in charts))
    return handled_clauses


def contents_in_words(charts: object) -> str:
    """Return in words what a file of charts has."""
    from laager.rules.board.hasl.charts import HaslCharts

    assert isinstance(charts, HaslCharts)
    parts = []
    for side, chart in charts.sides.items():
        if chart.rg is not None:
            parts.append(f"{len(chart.rg)} groups of {side}")
        parts += [f"{name} of {side}" for name in ("cpp", "recon") if getattr(chart, name)]
    if charts.fortifications is not None:
        parts.append(f"{len(charts.fortifications)} prices of fortifications")
    if charts.scenario_types is not None:
        parts.append(f"{len(charts.scenario_types)} scenario types")
    words = {"block_control": "Control of Blocks", "circled": "Game End", "cvp_step": "CVP step"}
    parts += [word for name, word in words.items() if getattr(charts, name) is not None]
    return ", ".join(parts) or "nothing yet"
