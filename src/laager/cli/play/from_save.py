"""`laager report --from-vasl`: a battle report out of a save, with what it leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.cli.ending import WrongUseError
from laager.cli.out import say, show_json, wrapped
from laager.cli.play.answers import print_report
from laager.cli.play.campaign_file import looked_at

if TYPE_CHECKING:
    from laager.campaign import Question
    from laager.campaign.engine import Campaign
    from laager.campaign.views import View
    from laager.cli.play.session import Session
    from laager.vasl import Proposal, SaveFinding

HEADINGS = (
    ("to_confirm", "To be confirmed"),
    ("unknown", "Not known, and left out"),
    ("not_found", "Not found in the save"),
)


@dataclass(frozen=True)
class SaveFile:
    """The save that the command line names, and how to read it."""

    save: Path
    boards: Path | None = None
    owner: int | None = None
    choices: tuple[str, ...] = ()


def report(at: Session, save: SaveFile, file: Path | None, as_template: bool, as_json: bool) -> None:
    """Report a battle from a save: print the proposal, or settle it and give it."""
    from laager.cli.asking.person import at_terminal
    from laager.cli.play.file_session import FileSession

    if not isinstance(at, FileSession):
        raise WrongUseError(
            "a save is read on the server's report page; or report from a file (laager report --template begins one)"
        )
    at = at.of_one_side()
    if file is not None:
        raise WrongUseError("a report comes from a file or from a save; name one of them")
    choices = _choices(save.choices)
    if as_json or as_template:
        found, question = _proposed(at.view(looked_at(at.file)), save, choices)
        if as_json:
            show_json(found.describe())
        else:
            _print_template(found, question)
        return

    def give(campaign: Campaign) -> None:
        seen = at.view(campaign)
        found, question = _proposed(seen, save, choices)
        say(*_lines(found), "")
        if at_terminal():
            answer = _settled(seen, save, choices)
        elif found.settled:
            answer = dict(found.report)
        else:
            raise _unsettled(found)
        campaign.answer(seen.viewer, question.key, answer)
        say("the report is given", "")

    at.changed(give).tell(as_json=False)


def _choices(texts: Iterable[str]) -> dict[str, str]:
    """Return choices from KEY=VALUE. Raises WrongUseError."""
    found = {}
    for text in texts:
        key, equals, value = text.rpartition("=")
        if not equals or not key:
            raise WrongUseError(f"--choose {text[:60]} isn't a choice; write KEY=VALUE")
        found[key] = value
    return found


def _proposed(seen: View, save: SaveFile, choices: Mapping[str, str]) -> tuple[Proposal, Question]:
    from laager.vasl import asked_report, open_archive, propose, shapes_in, usual_shape

    question = asked_report(seen)
    if save.boards is not None and not save.boards.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{save.boards} is not a folder", "name the folder of your VASL boards")
    shapes = usual_shape if save.boards is None else shapes_in(save.boards)
    found = propose(seen, open_archive(save.save), shapes=shapes, owner=save.owner, choices=choices)
    return found, question


# Printing -----------------------------------------------------------------------------------------


def _lines(found: Proposal) -> Iterator[str]:
    """Yield what was read from a save, for people."""
    yield f"Read from {found.file}, for {found.side}:"
    if found.certain:
        yield "Taken:"
        yield from (f"  {one.words}" for one in found.certain)
    for name, heading in HEADINGS:
        listed: tuple[SaveFinding, ...] = getattr(found, name)
        if listed:
            yield f"{heading}:"
            for one in listed:
                yield from _open_lines(one)
    if found.problems:
        yield "The report doesn't add up yet:"
        yield from (f"  {problem}" for problem in found.problems)
    if found.not_told:
        yield from wrapped("No save tells " + ", ".join(found.not_told) + ".")
    if found.passed_over:
        over = ", ".join(f"{what} ({count})" for what, count in found.passed_over.items())
        yield from wrapped(f"Passed over: {over}.")
    yield from (f"Doubtful: {doubt}" for doubt in found.doubts)


def _open_lines(one: SaveFinding) -> Iterator[str]:
    yield f"  {one.words}"
    values = ", ".join(choice.value for choice in one.candidates)
    yield f"    {one.key}={one.taken} is proposed, of {values}"


def _print_template(found: Proposal, question: Question) -> None:
    """Print the report as it stands, with all that is open in comments above it."""
    lines = list(_lines(found))
    say(*(f"# {line}".rstrip() for line in lines), "#")
    print_report(replace(question, default=dict(found.report)))


def _unsettled(found: Proposal) -> RefusedError:
    count = len(found.open) + len(found.problems)
    things = "thing is" if count == 1 else "things are"
    return RefusedError(
        Refusal.BAD_ANSWER,
        f"{count} {things} to be settled",
        "nothing was given: settle them at a terminal, or with "
        "--choose KEY=VALUE, or add --template and change the report that it prints",
    )


# Settling -----------------------------------------------------------------------------------------


def _settled(seen: View, save: SaveFile, choices: dict[str, str]) -> Any:
    """Ask at a terminal for what is open, one by one, then show the report before it is given."""
    from laager.cli.asking.desk import at_desk
    from laager.cli.asking.menus import BackError, select

    while True:
        found, question = _proposed(seen, save, choices)
        if not found.open:
            try:
                return at_desk(replace(question, default=dict(found.report)))
            except BackError:
                raise _stopped() from None
        one = found.open[0]
        options = [(choice.value, choice.label) for choice in one.candidates]
        try:
            choices[one.key] = select(one.words, options, one.taken, back="Stop for now")
        except BackError:
            raise _stopped() from None


def _stopped() -> RefusedError:
    return RefusedError(Refusal.BAD_ANSWER, "stopped", "nothing was given")
