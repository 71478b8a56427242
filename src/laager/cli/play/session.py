"""The table that a command sits down at: a campaign in a file, or one on a server.

Commands name the campaign, the place carries them out; what is said is the same at both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from laager.cli.play.from_save import Opening


@dataclass(frozen=True)
class Server:
    """The server that was named before the command, and the token, if one was given there.

    `typed`: on the command line, not in the environment.
    """

    url: str | None = None
    token: str | None = None
    typed: bool = False

    def __repr__(self) -> str:
        return f"Server({self.url!r})"


UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
"""What the id of a campaign on a server looks like."""

NAMED: ContextVar[Server] = ContextVar("NAMED", default=Server())  # noqa: B039
"""What the command line that is being carried out named before the command."""


class Place(Protocol):
    """What can be done at a table; the options are those of the commands."""

    def new(self, card: str, file: Path | None, ruleset: str | None, entered_dice: bool,
            reading: list[str], as_json: bool, seat: str | None = None,
            count_units: bool = False) -> None:  # fmt: skip
        """Begin a campaign from a card."""
        ...

    def go_on(self, side: str | None, defaults: int, solo: bool, as_json: bool) -> None:
        """Ask whoever must answer."""
        ...

    def status(self, side: str | None, as_json: bool) -> None:
        """Tell where the campaign stands."""
        ...

    def template(self, side: str | None) -> None:
        """Print an answers file with the proposals for all that is asked."""
        ...

    def give(self, file: Path | None, side: str | None, as_json: bool) -> None:
        """Give the answers of a file."""
        ...

    def report(self, file: Path | None, side: str | None, as_template: bool,
               as_json: bool) -> None:  # fmt: skip
        """Answer the battle report from a file, or print its present state."""
        ...

    def report_save(self, opening: Opening, file: Path | None, side: str | None,
                    as_template: bool, as_json: bool) -> None:  # fmt: skip
        """Report a battle out of a save of VASL."""
        ...

    def undo(self, side: str | None, to: int | None, step: bool, agree: bool, refuse: bool,
             as_json: bool) -> None:  # fmt: skip
        """Take back, or ask to, or answer the other side's wish to."""
        ...

    def redo(self, side: str | None, agree: bool, refuse: bool, as_json: bool) -> None:
        """Bring back what was last taken back."""
        ...

    def end(self, side: str | None, concede: bool, draw: bool, refuse: bool,
            as_json: bool) -> None:  # fmt: skip
        """Concede; or propose, agree to, or refuse a draw."""
        ...

    def log(self, side: str | None, last: int | None, full: bool, as_json: bool) -> None:
        """Print what has happened."""
        ...

    def why(self, number: int, side: str | None, as_json: bool) -> None:
        """Explain one entry."""
        ...

    def sheets(self, names: Sequence[str], side: str | None, as_json: bool,
               as_csv: bool) -> None:  # fmt: skip
        """Print record sheets."""
        ...

    def offered(self, side: str | None, as_json: bool) -> None:
        """List what can be printed."""
        ...

    def to_pdf(self, names: list[str], out: Path, side: str | None, paper: str, language: str,
               as_json: bool) -> None:  # fmt: skip
        """Print sheets into a PDF."""
        ...

    def draw(self, source: Path | None, out: Path, side: str | None, width: int, as_json: bool,
             backdrop: bool, boards: Path | None) -> None:  # fmt: skip
        """Draw a map file, or the campaign's map."""
        ...

    def export(self, side: str | None) -> None:
        """Print all that a viewer may know."""
        ...

    def verify(self, as_json: bool) -> None:
        """Prove the log."""
        ...


@dataclass(frozen=True)
class FilePlace:
    """A campaign in a file; None for the only one in this folder."""

    file: Path | None

    def new(self, card: str, file: Path | None, ruleset: str | None, entered_dice: bool,
            reading: list[str], as_json: bool, seat: str | None = None,
            count_units: bool = False) -> None:  # fmt: skip
        """Make a campaign file from a card."""
        from laager.cli.play import playing

        if seat is not None:
            from laager.cli.ending import WrongUseError

            raise WrongUseError("--seat is for campaigns on a server; leave it out")
        playing.new(card, file, ruleset, entered_dice, reading, as_json, count_units)

    def go_on(self, side: str | None, defaults: int, solo: bool, as_json: bool) -> None:
        """Ask whoever must answer."""
        from laager.cli.play import keyboard as going_on

        going_on.go_on(self.file, side, defaults, solo, as_json)

    def status(self, side: str | None, as_json: bool) -> None:
        """Tell where the campaign stands."""
        from laager.cli.play import playing

        playing.status(self.file, side, as_json)

    def template(self, side: str | None) -> None:
        """Print an answers file with the proposals for all that is asked."""
        from laager.cli.play import answers

        answers.template(self.file, side)

    def give(self, file: Path | None, side: str | None, as_json: bool) -> None:
        """Give all answers of a file, or none."""
        from laager.cli.play import answers

        answers.give(file, self.file, side, as_json)

    def report(self, file: Path | None, side: str | None, as_template: bool,
               as_json: bool) -> None:  # fmt: skip
        """Answer the battle report from a file, or print its present state."""
        from laager.cli.play import answers

        answers.report(file, self.file, side, as_template, as_json)

    def report_save(self, opening: Opening, file: Path | None, side: str | None,
                    as_template: bool, as_json: bool) -> None:  # fmt: skip
        """Report a battle out of a save of VASL."""
        from laager.cli.play import from_save

        from_save.report(opening, file, self.file, side, as_template, as_json)

    def undo(self, side: str | None, to: int | None, step: bool, agree: bool, refuse: bool,
             as_json: bool) -> None:  # fmt: skip
        """Take back, or ask to, or answer the other side's wish to."""
        from laager.cli.play import changing

        changing.undo(self.file, side, to, step, agree, refuse, as_json)

    def redo(self, side: str | None, agree: bool, refuse: bool, as_json: bool) -> None:
        """Bring back what was last taken back."""
        from laager.cli.play import changing

        changing.redo(self.file, side, agree, refuse, as_json)

    def end(self, side: str | None, concede: bool, draw: bool, refuse: bool,
            as_json: bool) -> None:  # fmt: skip
        """Concede; or propose, agree to, or refuse a draw."""
        from laager.cli.play import changing

        changing.end(self.file, side, concede, draw, refuse, as_json)

    def log(self, side: str | None, last: int | None, full: bool, as_json: bool) -> None:
        """Print what has happened."""
        from laager.cli.play import looking

        looking.log(self.file, side, last, full, as_json)

    def why(self, number: int, side: str | None, as_json: bool) -> None:
        """Explain one entry."""
        from laager.cli.play import looking

        looking.why(number, self.file, side, as_json)

    def sheets(self, names: Sequence[str], side: str | None, as_json: bool,
               as_csv: bool) -> None:  # fmt: skip
        """Print record sheets."""
        from laager.cli.play import looking

        looking.sheets(names, self.file, side, as_json, as_csv)

    def offered(self, side: str | None, as_json: bool) -> None:
        """List what can be printed."""
        from laager.cli.play import printing

        printing.offered(self.file, side, as_json)

    def to_pdf(self, names: list[str], out: Path, side: str | None, paper: str, language: str,
               as_json: bool) -> None:  # fmt: skip
        """Print sheets into a PDF."""
        from laager.cli.play import printing

        printing.to_pdf(names, out, self.file, side, paper, language, as_json)

    def draw(self, source: Path | None, out: Path, side: str | None, width: int, as_json: bool,
             backdrop: bool, boards: Path | None) -> None:  # fmt: skip
        """Draw a map file, or the campaign's map."""
        from laager.cli.play import looking

        looking.draw(source, out, self.file, side, width, as_json, backdrop, boards)

    def export(self, side: str | None) -> None:
        """Print all that a viewer may know."""
        from laager.cli.play import looking

        looking.export(self.file, side)

    def verify(self, as_json: bool) -> None:
        """Prove the log."""
        from laager.cli.play import looking

        looking.verify(self.file, as_json)


def place(campaign: Path | None = None) -> Place:
    """Return the table that the command line names: on a server if one was, else in a file.

    A campaign that is neither an address nor an id is a file, whatever server the environment has.
    """
    named = NAMED.get()
    address = _address(campaign)
    a_file = campaign is not None and not named.typed and not UUID.search(str(campaign))
    if address is None and (named.url is None or a_file):
        return FilePlace(campaign)
    from laager.cli.server.line import line_to, tidy
    from laager.cli.server.seat import Hall
    from laager.cli.server.session import ServerPlace

    url = tidy(address or str(named.url))
    if named.url is not None and tidy(named.url) != url:
        from laager.cli.ending import WrongUseError

        raise WrongUseError(f"the campaign is on {url}, not on {tidy(named.url)}; name one of them")
    given = "" if campaign is None else address or str(campaign)
    return ServerPlace(Hall(line_to(url, named.token), given))


def _address(campaign: Path | None) -> str | None:
    """Return the address of a campaign on a server that was named as one; a path lost a stroke."""
    text = "" if campaign is None else str(campaign).replace("\\", "/")
    found = re.match(r"(https?):/+(.+)", text)
    return f"{found[1]}://{found[2]}" if found else None
