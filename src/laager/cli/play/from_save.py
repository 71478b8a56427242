"""`laager report --from-vasl`, `laager answer --from-vasl`: a report or a setup out of a save."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.campaign.table_dice import by_player
from laager.cli.ending import WrongUseError
from laager.cli.out import say, show_json, wrap
from laager.cli.play.answers import answer_lines, report_lines
from laager.cli.play.campaign_file import looked_at
from laager.rules.board.report import REPORT_KEYS

if TYPE_CHECKING:
    from laager.campaign import Question, Roll
    from laager.campaign.engine import Campaign
    from laager.campaign.views import View
    from laager.cli.play.file_session import FileSession
    from laager.cli.play.session import PlaySession
    from laager.cli.server.session import ServerSession
    from laager.vasl import LoggedRoll, Proposal, SaveFinding

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


Read = Callable[[Mapping[str, str]], "tuple[Proposal, Question]"]
"""Reads a save with the choices made so far: what it proposes, and the question that this answers."""


def report(at: PlaySession, save: SaveFile, file: Path | None, as_template: bool, as_json: bool) -> None:
    """Report a battle from a save: print the proposal, or settle it and give it."""
    if file is not None:
        raise WrongUseError("a report comes from a file or from a save; name one of them")
    _carry_out(at, save, as_template, as_json, asks_report=True)


def answer(at: PlaySession, save: SaveFile, file: Path | None, as_template: bool, as_json: bool) -> None:
    """Answer what a save answers, a setup or a report: print the proposal, or settle it and give it.

    Where dice are awaited that the players roll, a log answers with a roll that the player chooses.
    """
    if file is not None:
        raise WrongUseError("an answer comes from a file or from a save; name one of them")
    _carry_out(at, save, as_template, as_json, asks_report=False)


def _carry_out(at: PlaySession, save: SaveFile, as_template: bool, as_json: bool, *, asks_report: bool) -> None:
    from laager.cli.play.file_session import FileSession

    choices = choices_of(save.choices)
    if isinstance(at, FileSession):
        _in_file(at.of_one_side(), save, choices, as_template, as_json, asks_report)
        return
    from laager.cli.server.session import ServerSession

    assert isinstance(at, ServerSession)
    if save.boards is not None:
        raise WrongUseError("on a server, boards come from your library there; leave --boards out")
    _on_server(at.of_one_side(), save, choices, as_template, as_json, asks_report)


def _in_file(
    at: FileSession, save: SaveFile, choices: dict[str, str], as_template: bool, as_json: bool, asks_report: bool
) -> None:
    from laager.cli.play.file_session import answer as answer_in
    from laager.vasl import asked_of_save, asked_report

    def read_at(seen: View) -> Read:
        question = (asked_report if asks_report else asked_of_save)(seen)
        return lambda chosen: (propose_in(seen, save, chosen), question)

    seen = at.view(looked_at(at.file))
    roll = (
        None
        if asks_report
        else next((request for request in seen.pending if request.side == seen.viewer and request.roll), None)
    )
    if roll is not None and roll.roll is not None:
        chosen = _roll_from_log(save, choices, roll.roll, seen.viewer, as_json)
        if chosen is not None:
            at.apply_change(lambda campaign: _enter(campaign, seen.viewer, chosen)).tell(as_json=False)
        return
    if _print_if_wanted(read_at(seen), choices, as_template, as_json):
        return

    def give(campaign: Campaign) -> None:
        now = at.view(campaign)
        value, proposal, question = _to_give(read_at(now), choices)
        pending = next(
            request for request in campaign.pending() if (request.side, request.key) == (now.viewer, question.key)
        )
        answer_in(campaign, pending, value, proposal.table_rolls)
        say(f"the {_name_of(question)} is given", "")

    at.apply_change(give).tell(as_json=False)


def _enter(campaign: Campaign, side: str, chosen: LoggedRoll) -> None:
    from laager.cli.play.file_session import answer as answer_in

    pending = next(each for each in campaign.pending() if each.side == side and each.roll is not None)
    answer_in(campaign, pending, list(chosen.faces))
    say(f"entered: {chosen}", "")


def _on_server(
    at: ServerSession, save: SaveFile, choices: dict[str, str], as_template: bool, as_json: bool, asks_report: bool
) -> None:
    from laager.cli.server import saves
    from laager.vasl import SETUP

    roll = None if asks_report else next((request for request in at.list_asked() if request.roll), None)
    if roll is not None and roll.roll is not None:
        # The log is read here: the server needs only the faces.
        chosen = _roll_from_log(save, choices, roll.roll, at.seat.name, as_json)
        if chosen is not None:
            change = at.answer(roll, list(chosen.faces))
            say(f"entered: {chosen}", "")
            change.tell(as_json=False)
        return
    keys, noun = (REPORT_KEYS, "battle report") if asks_report else ((*REPORT_KEYS, SETUP), "battle report or setup")
    asked, question = saves.asked_of(at, keys, noun)

    def read(chosen: Mapping[str, str]) -> tuple[Proposal, Question]:
        return saves.request_proposal(at, asked, save.save, save.owner, chosen), question

    if _print_if_wanted(read, choices, as_template, as_json):
        return
    value, _, question = _to_give(read, choices)
    change = at.answer(asked, value)
    say(f"the {_name_of(question)} is given", "")
    change.tell(as_json=False)


def _print_if_wanted(read: Read, choices: Mapping[str, str], as_template: bool, as_json: bool) -> bool:
    """Print what a save proposes, if that is all that's wanted; return whether it was."""
    if as_json:
        show_json(read(choices)[0].describe())
    elif as_template:
        say(*template_lines(*read(choices)))
    return as_json or as_template


def _to_give(read: Read, choices: dict[str, str]) -> tuple[Any, Proposal, Question]:
    """Return the answer that a save gives, all settled. Raises RefusedError if it is not."""
    from laager.cli.asking.person import at_terminal

    proposal, question = read(choices)
    say(*proposal_lines(proposal), "")
    if at_terminal():
        return _settle(read, choices), proposal, question
    if not proposal.settled:
        raise _unsettled_error(proposal)
    return dict(proposal.report), proposal, question


def _name_of(question: Question) -> str:
    return "report" if question.key in REPORT_KEYS else question.key


def choices_of(texts: Iterable[str]) -> dict[str, str]:
    """Return choices from KEY=VALUE. Raises WrongUseError."""
    choices = {}
    for text in texts:
        key, equals, value = text.rpartition("=")
        if not equals or not key:
            raise WrongUseError(f"--choose {text[:60]} isn't a choice; write KEY=VALUE")
        choices[key] = value
    return choices


def propose_in(seen: View, save: SaveFile, choices: Mapping[str, str]) -> Proposal:
    """Return what a save proposes to the viewer of a campaign in a file. Raises as `laager.vasl.propose` does."""
    from laager.vasl import open_archive, propose, shapes_in, usual_shape

    if save.boards is not None and not save.boards.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{save.boards} is not a folder", "name the folder of your VASL boards")
    shapes = usual_shape if save.boards is None else shapes_in(save.boards)
    return propose(seen, open_archive(save.save), shapes=shapes, owner=save.owner, choices=choices)


# Printing -----------------------------------------------------------------------------------------


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """Yield what was read from a save, for people."""
    yield f"Read from {proposal.file}, for {proposal.side}:"
    if proposal.certain:
        yield "Taken:"
        yield from (f"  {finding.words}" for finding in proposal.certain)
    for name, heading in HEADINGS:
        listed: tuple[SaveFinding, ...] = getattr(proposal, name)
        if listed:
            yield f"{heading}:"
            for finding in listed:
                yield from _open_lines(finding)
    if proposal.problems:
        yield f"The {'setup' if proposal.key == 'setup' else 'report'} doesn't add up yet:"
        yield from (f"  {problem}" for problem in proposal.problems)
    if proposal.not_told:
        yield from wrap("No save tells " + ", ".join(proposal.not_told) + ".")
    if proposal.passed_over:
        over = ", ".join(f"{piece} ({count})" for piece, count in proposal.passed_over.items())
        yield from wrap(f"Passed over: {over}.")
    yield from (f"Doubtful: {doubt}" for doubt in proposal.doubts)
    if proposal.rolls:
        yield from wrap(f"Rolls in the log: {by_player(proposal.table_rolls)} (laager vasl dice lists them).")


def _open_lines(finding: SaveFinding) -> Iterator[str]:
    yield f"  {finding.words}"
    values = ", ".join(choice.value for choice in finding.candidates)
    yield f"    {finding.key}={finding.taken} is proposed, of {values}"


def template_lines(proposal: Proposal, question: Question) -> Iterator[str]:
    """Yield the lines of the report or setup as it stands, with all that is open in comments above it."""
    yield from (f"# {line}".rstrip() for line in proposal_lines(proposal))
    yield "#"
    changed = replace(question, default=dict(proposal.report))
    yield from report_lines(changed) if question.key in REPORT_KEYS else answer_lines(changed)


def _unsettled_error(proposal: Proposal) -> RefusedError:
    count = len(proposal.open) + len(proposal.problems)
    things = "thing is" if count == 1 else "things are"
    return RefusedError(
        Refusal.BAD_ANSWER,
        f"{count} {things} to be settled",
        "nothing was given: settle them at a terminal, or with "
        "--choose KEY=VALUE, or add --template and change what it prints",
    )


# Settling -----------------------------------------------------------------------------------------


def _settle(read: Read, choices: dict[str, str]) -> Any:
    """Ask at a terminal for what is open, one by one, then show the report before it is given."""
    from laager.cli.asking.desk import answer_at_desk
    from laager.cli.asking.menus import BackError, select

    while True:
        proposal, question = read(choices)
        if not proposal.open:
            try:
                return answer_at_desk(replace(question, default=dict(proposal.report)))
            except BackError:
                raise _stopped_error() from None
        finding = proposal.open[0]
        options = [(choice.value, choice.label) for choice in finding.candidates]
        try:
            choices[finding.key] = select(finding.words, options, finding.taken, back="Stop for now")
        except BackError:
            raise _stopped_error() from None


def _stopped_error() -> RefusedError:
    return RefusedError(Refusal.BAD_ANSWER, "stopped", "nothing was given")


# Dice ---------------------------------------------------------------------------------------------

ROLL = "roll"
"""The key under which a roll of a log is chosen."""


def _roll_from_log(
    save: SaveFile, choices: Mapping[str, str], wanted: Roll, side: str, as_json: bool
) -> LoggedRoll | None:
    """Return the roll of a log that the player chooses, never one that Laager picks; None if they are only listed."""
    from laager.cli.asking.person import at_terminal
    from laager.vasl import read_save, rolls_of_dice

    options = rolls_of_dice(read_save(save.save).rolls, wanted.dice.count)
    if as_json:
        listed = [{"number": number, **roll.describe()} for number, roll in options.items()]
        show_json({"key": ROLL, "side": side, "label": wanted.label, "rolls": listed})
        return None
    say(f"{wanted.label}: a {wanted.dice} is wanted of {side}.")
    if not options:
        raise RefusedError(Refusal.BAD_ANSWER, f"{save.save.name} has no {wanted.dice}", "roll one in VASL, or type it")
    return options[_chosen_roll(options, choices.get(ROLL, ""), at_terminal())]


def _chosen_roll(options: Mapping[int, LoggedRoll], chosen: str, asks: bool) -> int:
    """Return the number of the roll that the player chooses. Raises RefusedError if none is chosen."""
    from laager.cli.asking.menus import BackError, select

    known = {str(number): number for number in options}
    if chosen in known:
        return known[chosen]
    if asks and not chosen:
        words = [(str(number), f"{number}: {roll}") for number, roll in reversed(tuple(options.items()))]
        try:
            return known[select("Which of them is it?", words, words[0][0], back="Stop for now")]
        except BackError:
            raise _stopped_error() from None
    say(*(f"  {ROLL}={number}: {roll}" for number, roll in options.items()))
    message = f"there is no such roll {chosen!r}" if chosen else "which of them is it?"
    raise RefusedError(Refusal.BAD_ANSWER, message, f"nothing was entered: say it with --choose {ROLL}=NUMBER")
