"""`laager ruling`: a ruling's file shown before and after, asked for, and answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem
from laager.base.files import Document, read_document
from laager.cli.out import say, show, show_json

if TYPE_CHECKING:
    from laager.cli.play.session import PlaySession

NOT_NOW = "Nothing was asked. The file is as it was."


def check_ruling(at: PlaySession, file: Path, as_json: bool) -> None:
    """Show what a ruling's file would change, before and after. Raises DataError with everything wrong with it."""
    preview = at.preview_ruling(read_document(file))
    show(as_json, preview, *change_lines(preview))


def propose_ruling(at: PlaySession, file: Path, as_json: bool) -> None:
    """Ask the table for the ruling in a file; at a terminal, after it was confirmed."""
    from laager.cli.asking.person import at_terminal

    document = read_document(file)
    if not as_json and at_terminal():
        preview = at.preview_ruling(document)
        say(*change_lines(preview))
        if not _confirm(preview["at_once"]):
            say(NOT_NOW)
            return
    try:
        change = at.propose_ruling(document)
    except DataError as err:
        raise DataError([_locate(document, problem) for problem in err.problems], err.code, err.heading) from None
    change.tell(as_json)


def _confirm(at_once: bool) -> bool:
    """Ask if the ruling is meant so."""
    import questionary

    text = "Shall it count?" if at_once else "Ask the others to agree to it?"
    return bool(questionary.confirm(text, default=False).unsafe_ask())


def _locate(document: Document, problem: Problem) -> Problem:
    """Return a problem with its line, where a server named only its field."""
    if problem.line is not None or not problem.field:
        return problem
    return document.problem(tuple(problem.field.split(".")), problem.what, problem.right)


def show_open_ruling(at: PlaySession, as_json: bool) -> None:
    """Show the ruling that waits for consent, before and after."""
    asked = at.open_ruling()
    if as_json:
        show_json(asked)
    elif asked is None:
        say("no ruling is asked for", "laager ruling --template begins one")
    else:
        say(*_request_lines(asked))


def _request_lines(asked: Mapping[str, Any]) -> Iterator[str]:
    yield f"{asked['by']} asks for a ruling: “{asked['why']}”"
    yield from (f"  {change['text']}" for change in asked["changes"])
    for side, counts in asked["secret"].items():
        things = ", ".join(f"{count} {noun}{'s' * (count != 1)}" for noun, count in counts.items())
        yield f"  correction of the secret record ({side}): {things}"
    if asked["reopens"]:
        yield f"  an answer of {asked['reopens']} is reopened"
    if asked["waiting_for"]:
        who = " or ".join(asked["waiting_for"])
        yield f"{who} answers with: laager ruling --agree (or --refuse)"


def change_lines(preview: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a ruling changes, before and after, and what it leaves contradictory, with the mend."""
    yield "before → after"
    yield from (f"  {change['text']}" for change in preview["changes"])
    for left in preview["left"]:
        yield f"note: {left['what']}; {left['mend']}"
