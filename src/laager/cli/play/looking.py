"""Commands that look at a campaign: log, reasons, sheets, map, export, proof. They change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from laager.base import Refusal, RefusedError
from laager.base.counting import count_of
from laager.cli.ending import NOT_SOUND, WrongUseError
from laager.cli.options import LOOK, AsCsv, AsJson, CampaignFile, Side, examples
from laager.cli.out import listing, print_sheets, say, say_log, say_wrapped, show_json, show_sheets
from laager.cli.play.session import session
from laager.cli.play.sights import drawn_file, look_lines, wanted_look
from laager.cli.writing import write_bytes

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""


@app.command(
    rich_help_panel=LOOK,
    short_help="what has happened",
    epilog=examples("laager log --last 30", "laager log --side axis --full"),
)
def log(
    campaign: CampaignFile = None,
    side: Side = None,
    last: Annotated[int | None, typer.Option("--last", "-n", min=1, metavar="N", help="Only the last N.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Every line; long runs of like facts are not folded.")] = False,
    json: AsJson = False,
) -> None:
    """Print what has happened, as far as the side may know."""
    at = session(campaign, side)
    if json:
        show_json(at.log(last))
    else:
        say_log(at.log_lines(last, full))


@app.command("why", rich_help_panel=LOOK, short_help="why something happened", epilog=examples("laager why 57"))
def explain(
    number: Annotated[int, typer.Argument(metavar="N", help="The number of a log entry.")],
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
) -> None:
    """Explain an entry: its rule, the answers and rolls it followed from, every modifier."""
    explanation = session(campaign, side).explain(number)
    if json:
        show_json(explanation)
    else:
        _say_why(explanation)


@app.command(
    rich_help_panel=LOOK,
    short_help="the record sheets",
    epilog=examples(
        "laager sheet",
        "laager sheet roster",
        "laager sheet ob --side axis",
        "laager sheet roster --csv > roster.csv",
        "laager sheet --list",
        "laager sheet setup report --side axis --pdf axis.pdf",
    ),
)
def sheet(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which; if left out, all.")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
    csv: AsCsv = False,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Print forms into a PDF.")] = None,
    paper: Annotated[str | None, typer.Option("--paper", metavar="SIZE", help="Of a PDF: a4 or letter.")] = None,
    language: Annotated[str | None, typer.Option("--language", metavar="CODE", help="Of a PDF: en or de.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List what there is to print just now.")] = False,
) -> None:
    """Print record sheets: roster, purchases, order of battle; as PDF every form for the table."""
    given = {"--list": listed, "--pdf": pdf is not None, "--csv": csv, "NAME": bool(names)}
    _check_options(given | {"--paper": bool(paper), "--language": bool(language)})
    at = session(campaign, side)
    if listed:
        _print_offers(at.offers(), json)
    elif pdf is not None:
        if pdf.suffix.lower() != ".pdf":
            raise WrongUseError(f"{pdf} does not end in .pdf; name the file such as sheets.pdf")
        write_bytes(pdf, at.pdf(names or (), paper or "a4", language or "en"), "printed", json)
    else:
        sheets = at.sheets(names or ())
        if not sheets:
            raise RefusedError(Refusal.NO_SUCH, "there are no sheets yet")
        print_sheets(sheets, json, csv)


@app.command(
    name="map",
    rich_help_panel=LOOK,
    short_help="draw the map",
    epilog=examples(
        "laager map --side axis --out axis.png",
        "laager map my-map.yaml --out my-map.svg",
        "laager map --side axis --see H7.1 --out seen.png",
        "laager map my-map.yaml --see H7 --to M12",
        "laager map my-map.yaml --backdrop --boards ~/vasl/boards --out my-map.png",
    ),
)
def draw_map(
    source: Annotated[
        Path | None, typer.Argument(metavar="MAP", help="A map file; if left out, the campaign's map.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="An .svg, .png or .pdf file.")] = Path(
        "map.svg"
    ),
    campaign: CampaignFile = None,
    side: Side = None,
    width: Annotated[int, typer.Option(min=100, max=20000, metavar="N", help="Width of a PNG in pixels.")] = 2400,
    backdrop: Annotated[
        bool, typer.Option("--backdrop", help="Of maps made from VASL boards: on the boards' own pictures.")
    ] = False,
    boards: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder of your VASL boards, for --backdrop; if left out, the one that "
            "LAAGER_BOARDS names, else the one you named last.",
        ),
    ] = None,
    see: Annotated[
        str | None,
        typer.Option(
            metavar="LOCATION", help="What a Location sees; or fire, enemy, best, observers: for your side's units."
        ),
    ] = None,
    to: Annotated[str | None, typer.Option(metavar="LOCATION", help="With --see: the line to this Location.")] = None,
    back: Annotated[bool, typer.Option("--back", help="With --see: from where the Location can be seen.")] = False,
    level: Annotated[
        int | None, typer.Option(min=0, max=6, metavar="N", help="With --see: what is so far above each hex's ground.")
    ] = None,
    hull: Annotated[bool, typer.Option("--hull", help="With --see: how high something must be to be seen.")] = False,
    range_: Annotated[int | None, typer.Option("--range", min=1, metavar="N", help="With --see: so far.")] = None,
    json: AsJson = False,
) -> None:
    """Draw the map: terrain, Control, clusters, MLRs, No Man's Land, the units you may see; lines of sight."""
    if out.suffix not in {".svg", ".png", ".pdf"}:
        raise WrongUseError(f"{out} is not an .svg, .png or .pdf file; name the drawing such as map.svg")
    wish = wanted_look(see, to, back, range_, level, hull)
    if source is None:
        svg, title, seen = session(campaign, side).drawing(backdrop, boards, wish)
    else:
        svg, title, seen = drawn_file(source, wish, backdrop, boards)
    if wish is not None and seen is not None and not json:
        say(*look_lines(seen, wish))
    write_bytes(out, _draw_file(svg, out.suffix, width, title), "drawn", json)


@app.command(
    rich_help_panel=LOOK,
    short_help="everything a side may know, as JSON; the record",
    epilog=examples(
        "laager export --side axis > axis.json",
        "laager export --record > record.yaml",
        "laager new rzhavets --from record.yaml       go on from it",
    ),
)
def export(
    campaign: CampaignFile = None,
    side: Side = None,
    record: Annotated[
        bool,
        typer.Option("--record", help="The record at the start of the present step, from which a campaign can go on."),
    ] = False,
) -> None:
    """Print everything that one side (or the umpire) may know, as JSON; or the record, as YAML."""
    if record:
        say(session(campaign, side).record().rstrip("\n"))
        return
    show_json(session(campaign, side).export())


@app.command(
    rich_help_panel=LOOK,
    short_help="prove the campaign: dice, results, rules",
    epilog=examples("laager verify", "laager verify tuesday.laager"),
)
def verify(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The campaign file, as with --campaign.")] = None,
    campaign: CampaignFile = None,
    json: AsJson = False,
) -> None:
    """Prove the log: hashes, dice, every fact from the rules. Exit code 4 if it isn't sound."""
    proof = session(file or campaign).verify()
    if json:
        show_json(proof)
    else:
        _say_proof(proof)
    if not proof["sound"]:
        raise typer.Exit(NOT_SOUND)


def _say_why(explanation: Mapping[str, Any]) -> None:
    """Print what `campaign.describing.explained` returns."""
    entry, clause = explanation["entry"], explanation["rule"]
    number, text = entry["number"], entry["text"]
    mark = " " if entry["counts"] else "×"
    indent = "" if text.startswith("──") else "   "
    say(f"{number:>5}{mark} {indent}{text}" if text else f"{number:>5}  ({entry['type']}: keeps the books)")
    if not entry["counts"]:
        say("       was taken back and does not count")
    _more(entry)
    for cause in explanation["causes"]:
        say(f"  from {cause['number']}: {cause['text']}")
        _more(cause)
    if isinstance(clause, Mapping):
        say("", f"  {clause['id']} {clause['title']}")
        say_wrapped(clause["text"], "    ")
    elif clause:
        say("", f"  {clause}")
    for line in explanation.get("house", ()):
        say_wrapped(line, "    ", "  house rule: ")


def _more(entry: Mapping[str, Any]) -> None:
    """Show what an answer was, and what made up a roll."""
    from laager.campaign.wording import plain_lines

    if entry["type"] == "answer":
        say(*(f"           {line}" for line in plain_lines(entry["body"]["value"])))
    for modifier in entry["body"].get("modifiers", ()):
        say(f"           {modifier['value']:+d} {modifier['reason']} ({modifier['rule']})")


def _check_options(given: Mapping[str, bool]) -> None:
    """Raise WrongUseError for options that don't go together; `given` says which are given."""
    for first, *others in (("--list", "--pdf", "--csv", "--paper", "--language", "NAME"), ("--pdf", "--csv")):
        for other in others:
            if given[first] and given[other]:
                raise WrongUseError(f"{first} and {other} don't go together; choose one")
    for name in ("--paper", "--language"):
        if given[name] and not given["--pdf"]:
            raise WrongUseError(f"{name} goes with --pdf FILE")


def _print_offers(offers: Sequence[Mapping[str, Any]], as_json: bool) -> None:
    """Print a list of what can be printed."""
    if as_json:
        show_json(offers)
        return
    rows = [(offer["id"], offer["title"], offer["side"], ", ".join(offer["kinds"])) for offer in offers]
    notes = ["print them with: laager sheet [NAME] --pdf FILE"]
    show_sheets([listing("What can be printed", ("Sheet", "Title", "Side", "As"), rows, notes)])


def _draw_file(svg: str, suffix: str, width: int, title: str) -> bytes:
    """Return a drawing as a file of this kind; `width` is that of a PNG in pixels."""
    from laager.hexmap.draw import draw_pdf, draw_png

    match suffix:
        case ".png":
            return draw_png(svg, width)
        case ".pdf":
            return draw_pdf(svg, title)
    return svg.encode()


def ruling_in_words(ruling: Mapping[str, Any]) -> str:
    """Return a ruling as `laager verify` lists it."""
    agreed = f", agreed by {' and '.join(ruling['agreed'])}" if ruling["agreed"] else ""
    facts = [count_of(ruling["facts"], "fact")] if ruling["facts"] else []
    reopens = [f"reopens an answer of {ruling['reopens']}"] if ruling["reopens"] else []
    done = ", ".join([*facts, *reopens])
    return f"ruling, entry {ruling['entry']}, by {ruling['by']}{agreed}: “{ruling['why']}” ({done})"


def _say_proof(proof: Mapping[str, Any]) -> None:
    """Say what a proof has found."""
    corrected = ", ".join(proof.get("corrected", ()))
    say(
        f"{proof['entries']} entries chained, head {proof['head']}",
        f"{count_of(proof['rolls'], 'roll')} ({proof['entered']} entered by players), "
        f"{count_of(proof['facts'], 'fact')}",
        *([f"note: {proof['note']}"] if proof["note"] else []),
        *(
            [f"note: steps played before a correction of their rules stand as recorded: {corrected}"]
            if corrected
            else []
        ),
        *(f"house rule {line}" for line in proof.get("house", ())),
        *(f"reading {line}" for line in proof.get("readings", ())),
        *(ruling_in_words(ruling) for ruling in proof.get("rulings", ())),
        *(f"entry {finding['entry']}: {finding['what']}" for finding in proof["findings"]),
        "sound" if proof["sound"] else "NOT SOUND",
    )
