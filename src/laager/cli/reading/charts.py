"""The commands of `laager chart`: the charts of a historical module, entered by its owner."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.cli.ending import WrongUseError
from laager.cli.options import AsJson, Force, RulesetName, examples, group
from laager.cli.out import say, show_json
from laager.cli.writing import write_texts
from laager.kinds import kind_named

if TYPE_CHECKING:
    from laager.campaign import PlayedRuleset, RulesIndex
    from laager.rules.board.hasl.ruleset import HaslRuleset

app = group("chart", "Historical campaigns: enter and check the charts of a module.")

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

    found = find_ruleset(name)
    if not isinstance(found, HaslRuleset):
        sentence = f"the rules {name} have no charts to be filled in; abtf, er and hasl have"
        raise RefusedError(Refusal.NO_SUCH, sentence)
    return found


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
            kind, contents, warnings = checked(path)
        except DataError as err:
            problems += err.problems
            continue
        good.append({"file": str(path), "kind": kind, "contents": contents, "warnings": warnings})
        if not json:
            for warning in warnings:
                say(f"note: {warning}")
            say(f"{path}: a good {kind} file; {contents}")
    if problems:
        raise DataError(problems)
    if json:
        show_json({"good": True, "files": good})


def checked(path: Path) -> tuple[str, str, list[str]]:
    """Check one file: its kind, what is in it, and what is doubtful. Raises DataError."""
    from laager.base.files import read_document
    from laager.rules.board.hasl.card.loading import load_chart_tables, load_charts

    document = read_document(path)
    data = document.data
    kind = kind_named(data)
    if kind == "hasl-charts":
        charts, doubts = load_charts(path)
        return kind, filled(charts), [str(doubt) for doubt in doubts]
    if kind == "tables":
        tables, doubts = load_chart_tables(path)
        return kind, ", ".join(tables) or "nothing yet", [str(doubt) for doubt in doubts]
    if kind == "hasl-card":
        from laager.campaign.cards import rules_of

        made = _historical(rules_of(data)).read_card(path, {})
        return kind, made.title, list(made.warnings)
    what = f"{kind!r} isn't a kind of file that this checks" if kind else "it doesn't say its kind"
    right = f"begin with laager: KIND/1; kinds are {', '.join(KINDS)}"
    raise DataError([document.problem(("laager",), what, right)])


def waiting(system: PlayedRuleset, index: RulesIndex, card: Path | None) -> dict[str, tuple[str, str]]:
    """Return the clauses that wait for a chart: how each is handled, and what makes it computed.

    With a card, a clause is computed if all that it waits for is filled in there. Raises DataError
    for a card that isn't valid.
    """
    from laager.campaign import Handling
    from laager.rules.board.hasl.card.filling import charts_of, filled_in
    from laager.rules.board.hasl.context import Hasl
    from laager.rules.board.hasl.ruleset import HaslRuleset

    if not isinstance(system, HaslRuleset):
        if card is not None:
            raise WrongUseError("--card is for historical campaigns (abtf, er, hasl)")
        return {}
    cg: Hasl | None = None
    if card is not None:
        cg = system.context(system.read_card(card, {}).setting)
    found = {}
    for clause in index.values():
        charts = charts_of(clause)
        if clause.handling is Handling.ASKED and charts:
            done = cg is not None and filled_in(cg, clause)
            handled = Handling.COMPUTED if done else clause.handling
            found[clause.id] = (handled.value, "; ".join(chart.where for chart in charts))
    return found


def filled(charts: object) -> str:
    """Return in words what a file of charts has."""
    from laager.rules.board.hasl.charts import Charts

    assert isinstance(charts, Charts)
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
