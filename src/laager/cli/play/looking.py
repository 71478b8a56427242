"""Looking at a campaign: log, reasons, sheets, map, export, proof. Nothing is ever written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.cli.ending import NOT_SOUND, WrongUseError
from laager.cli.out import say, say_log, say_wrapped, show_json, show_sheets
from laager.cli.play.campaign_file import looked_at, ruleset_of, viewer_of

if TYPE_CHECKING:
    from laager.campaign import Sheet


def log(campaign_file: Path | None, side: str | None, last: int | None, full: bool, as_json: bool) -> None:
    """Print what has happened."""
    from laager.campaign.describing import entry_json
    from laager.campaign.telling import lines_of, told
    from laager.campaign.views import view

    campaign = looked_at(campaign_file)
    seen_by = view(campaign, viewer_of(side))
    lines = told(campaign, seen_by)
    if as_json:
        chosen = lines[-last:] if last else lines
        show_json([entry_json(one, seen_by.log) for one in chosen])
        return
    # The last so many that say something; entries that only keep the books do not count.
    spoken = [one for one in lines if one.text]
    say_log(lines_of(spoken[-last:] if last else spoken, full))


def why(number: int, campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Explain one entry."""
    from laager.campaign.describing import explained
    from laager.campaign.views import view

    campaign = looked_at(campaign_file)
    seen_by = view(campaign, viewer_of(side))
    found = explained(campaign, seen_by, number, ruleset_of(campaign).package)
    if as_json:
        show_json(found)
    else:
        say_why(found)


def say_why(found: Mapping[str, Any]) -> None:
    """Tell why an entry happened: as `campaign.describing.explained` says it."""
    entry, clause = found["entry"], found["rule"]
    number, text = entry["number"], entry["text"]
    mark = " " if entry["counts"] else "×"
    indent = "" if text.startswith("──") else "   "
    say(f"{number:>5}{mark} {indent}{text}" if text else f"{number:>5}  ({entry['type']}: keeps the books)")
    if not entry["counts"]:
        say("       was taken back and does not count")
    _more(entry)
    for cause in found["causes"]:
        say(f"  from {cause['number']}: {cause['text']}")
        _more(cause)
    if isinstance(clause, Mapping):
        say("", f"  {clause['id']} {clause['title']}")
        say_wrapped(clause["text"], "    ")
    elif clause:
        say("", f"  {clause}")


def _more(entry: Mapping[str, Any]) -> None:
    """Show what an answer was, and what made up a roll."""
    from laager.campaign.wording import plain_lines

    if entry["type"] == "answer":
        say(*(f"           {line}" for line in plain_lines(entry["body"]["value"])))
    for modifier in entry["body"].get("modifiers", ()):
        say(f"           {modifier['value']:+d} {modifier['reason']} ({modifier['rule']})")


def sheets(
    names: Sequence[str], campaign_file: Path | None, side: str | None, as_json: bool, as_csv: bool = False
) -> None:
    """Print record sheets: those named, or all that the rules fill."""
    from laager.campaign.views import view
    from laager.sheets import plain

    campaign = looked_at(campaign_file)
    viewer = viewer_of(side)
    chosen: list[Sheet] = []
    for name in names:
        chosen += plain(campaign, viewer, name)
    if not names:
        state = view(campaign, viewer).state
        chosen += ruleset_of(campaign).sheets(campaign.context, state)
        if not chosen:
            raise RefusedError(Refusal.NO_SUCH, "there are no sheets yet")
    print_sheets(chosen, as_json, as_csv)


def print_sheets(chosen: Sequence[Sheet], as_json: bool, as_csv: bool = False) -> None:
    """Print sheets as tables, as JSON, or as CSV: then a line of title, if there are several."""
    if as_json and as_csv:
        raise WrongUseError("--json and --csv do not go together; choose one")
    if as_json:
        show_json([sheet.describe() for sheet in chosen])
    elif as_csv:
        from laager.sheets.csv import csv_of

        say(csv_of(chosen))
    else:
        show_sheets(chosen)


def draw(
    source: Path | None,
    out: Path,
    campaign_file: Path | None,
    side: str | None,
    width: int,
    as_json: bool,
    backdrop: bool = False,
    boards: Path | None = None,
) -> None:
    """Draw a map file, or a campaign's map as a viewer may see it.

    With `backdrop`, or a folder of `boards`, on the boards' own pictures.
    """
    from laager.campaign.views import view
    from laager.hexmap import load_map
    from laager.hexmap.draw import draw_svg, plain_layers

    check_drawing(out)
    if source is not None:
        map_ = load_map(source)
        layers = plain_layers(map_)
    else:
        campaign = looked_at(campaign_file)
        state = view(campaign, viewer_of(side)).state
        map_, layers = ruleset_of(campaign).drawing(campaign.context, state)
    pictures = None
    if backdrop or boards is not None:
        from laager.cli.vasl import backdrops

        pictures = backdrops.backdrop(map_, boards)
    svg = draw_svg(map_, layers, pictures)
    write_drawing(svg, out, width, layers.title or map_.title, as_json)


def check_drawing(out: Path) -> None:
    """Raise WrongUseError unless a drawing can be written under this name."""
    if out.suffix not in {".svg", ".png", ".pdf"}:
        raise WrongUseError(f"{out} is no .svg, .png or .pdf; name the drawing such as map.svg")


def write_drawing(svg: str, out: Path, width: int, title: str, as_json: bool) -> None:
    """Write a drawing as its file's name says; `width` is that of a PNG in pixels."""
    from laager.hexmap.draw import draw_pdf, draw_png

    match out.suffix:
        case ".png":
            data = draw_png(svg, width)
        case ".pdf":
            data = draw_pdf(svg, title)
        case _:
            data = svg.encode()
    out.write_bytes(data)
    if as_json:
        show_json({"file": str(out), "bytes": len(data)})
    else:
        say(f"drawn: {out}")


def export(campaign_file: Path | None, side: str | None) -> None:
    """Print all that a viewer may know."""
    from laager.campaign.describing import exported
    from laager.campaign.views import view

    campaign = looked_at(campaign_file)
    seen_by = view(campaign, viewer_of(side))
    show_json(exported(campaign, seen_by))


def verify(campaign_file: Path | None, as_json: bool) -> None:
    """Prove a log; exits with 4 if something does not add up."""
    from laager.campaign.audit import audit
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore
    from laager.cli.play.campaign_file import campaign_path

    # As it stands in the file: without what the rules would still make of the last answer.
    campaign = Campaign(FileStore(campaign_path(campaign_file)))
    result = audit(campaign)
    told_of_proof(
        {
            "sound": result.sound,
            "entries": result.entries,
            "rolls": result.rolls,
            "entered": result.entered,
            "facts": result.facts,
            "head": campaign.store.load().head,
            "findings": [{"entry": f.number, "what": f.what} for f in result.findings],
            "corrected": list(result.corrected),
            "note": campaign.repaired,
        },
        as_json,
    )


def _by_older_rules(clauses: Sequence[str]) -> list[str]:
    if not clauses:
        return []
    named = ", ".join(clauses)
    return [f"note: steps played before a correction of their rules stand as recorded: {named}"]


def told_of_proof(found: Mapping[str, Any], as_json: bool) -> None:
    """Tell what a proof has found; exits with 4 if something does not add up."""
    import typer

    if as_json:
        show_json(found)
    else:
        say(
            f"{found['entries']} entries chained, head {found['head']}",
            f"{found['rolls']} rolls ({found['entered']} entered by players), {found['facts']} facts",
            *([f"note: {found['note']}"] if found["note"] else []),
            *_by_older_rules(found.get("corrected", ())),
            *(f"entry {finding['entry']}: {finding['what']}" for finding in found["findings"]),
            "sound" if found["sound"] else "NOT SOUND",
        )
    if not found["sound"]:
        raise typer.Exit(NOT_SOUND)
