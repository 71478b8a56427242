"""The commands at a table that stands on a server: what they say is what they say of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from laager.base import DataError, Refusal, RefusedError
from laager.campaign import Column, Sheet
from laager.cli.ending import WrongUseError
from laager.cli.out import say, say_log, show_json
from laager.cli.server import playing as server_playing
from laager.cli.server.seat import Hall, outcome, requests, waiting


@dataclass(frozen=True)
class ServerPlace:
    """A campaign on a server (`places.Place`)."""

    hall: Hall

    # Playing

    def new(self, card: str, file: Path | None, ruleset: str | None, entered_dice: bool,
            reading: list[str], as_json: bool, seat: str | None = None,
            count_units: bool = False) -> None:  # fmt: skip
        """Begin a campaign on the server."""
        from laager.cli.play.playing import readings

        if file is not None or ruleset is not None:
            raise WrongUseError("--file and RULES are for campaigns in files; leave them out")
        if count_units:
            raise WrongUseError("--count-units is for campaigns in files; leave it out")
        path, own = Path(card), Path(card).is_file()
        if own:
            text = path.read_text(encoding="utf-8")
            self.hall.line.put(f"/files/{quote(path.name, safe='')}", {"text": text})
        wanted = {
            "card": path.name if own else card,
            "own": own,
            "entered_dice": entered_dice,
            "readings": readings(reading),
        }
        begun = self.hall.line.post("/campaigns", wanted | ({"seat": seat} if seat else {}))
        if as_json:
            show_json(begun)
            return
        address = f"{self.hall.line.url}/campaign/{begun['campaign']}/{begun['seat']}/"
        say(
            f"{begun['title']}: {address}",
            f"go on with: laager --server {self.hall.line.url} next -c {begun['campaign']}",
        )

    def go_on(self, side: str | None, defaults: int, solo: bool, as_json: bool) -> None:
        """Ask whoever must answer."""
        server_playing.go_on(self.hall, side, defaults, as_json)

    def status(self, side: str | None, as_json: bool) -> None:
        """Tell where the campaign stands."""
        seat = self.hall.seat(side)
        status = seat.status()
        if as_json:
            shown = {name: status[name] for name in ("title", "version", "headline", "waiting_for")}
            show_json(shown | {"viewer": seat.name, "requests": list(requests(status)),
                               "pending": status["asked"]})  # fmt: skip
            return
        say(status["title"], *status["headline"], "", *waiting(status))
        if status["asked"] and "answer" in status["may"]:
            say(f"go on with: laager --server {seat.line.url} next --side {seat.name} "
                f"-c {seat.campaign}")  # fmt: skip

    def template(self, side: str | None) -> None:
        """Print an answers file with the proposals."""
        from laager.cli.play.answers import print_template

        seat = self.hall.seat(side)
        print_template(seat.wanted(seat.status()), side)

    def give(self, file: Path | None, side: str | None, as_json: bool) -> None:
        """Give the answers of a file."""
        server_playing.give(self.hall, file, side, as_json)

    def report(self, file: Path | None, side: str | None, as_template: bool,
               as_json: bool) -> None:  # fmt: skip
        """Answer the battle report from a file, or print its present state."""
        server_playing.report(self.hall, file, side, as_template, as_json)

    def report_save(self, opening: Any, file: Path | None, side: str | None, as_template: bool,
                    as_json: bool) -> None:  # fmt: skip
        """Refuse: the server's own page reads saves."""
        raise WrongUseError(
            "a save is read on the server's report page; or report from a file (laager report --template begins one)"
        )

    def undo(self, side: str | None, to: int | None, step: bool, agree: bool, refuse: bool,
             as_json: bool) -> None:  # fmt: skip
        """Take back, or ask to, or answer the other side's wish to."""
        from laager.cli.play.changing import check_undo

        check_undo(to, step, agree, refuse)
        seat = self.hall.seat(side)
        before = seat.status()["version"]
        if agree or refuse:
            told = seat.line.post(f"{seat.path}/take-back/consent", {"agree": agree})
        else:
            target = server_playing.step_start(seat) if step else to
            told = seat.line.post(f"{seat.path}/take-back", {"to": target})
        server_playing.tell(seat, told, before, as_json)

    def redo(self, side: str | None, agree: bool, refuse: bool, as_json: bool) -> None:
        """Bring back what was last taken back, or ask to, or answer the other side's wish to."""
        from laager.cli.play.changing import check_redo

        check_redo(agree, refuse)
        seat = self.hall.seat(side)
        before = seat.status()["version"]
        if agree or refuse:
            told = seat.line.post(f"{seat.path}/bring-back/consent", {"agree": agree})
        else:
            told = seat.line.post(f"{seat.path}/bring-back")
        server_playing.tell(seat, told, before, as_json)

    def end(self, side: str | None, concede: bool, draw: bool, refuse: bool,
            as_json: bool) -> None:  # fmt: skip
        """Concede; or propose, agree to, or refuse a draw."""
        from laager.cli.play.changing import check_end

        check_end(side, concede, draw, refuse)
        seat = self.hall.seat(side)
        proposed = any(wish["kind"] == "draw" for wish in seat.status()["wishes"])
        if concede:
            told = seat.line.post(f"{seat.path}/concede", {"sure": True})
        elif refuse or proposed:
            told = seat.line.post(f"{seat.path}/draw/consent", {"agree": draw})
        else:
            told = seat.line.post(f"{seat.path}/draw")
        if as_json:
            show_json(outcome(told))
            return
        say(*told["status"]["headline"], *requests(told["status"]))

    # Looking

    def log(self, side: str | None, last: int | None, full: bool, as_json: bool) -> None:
        """Print what has happened."""
        seat = self.hall.seat(side)
        if as_json:
            show_json(seat.line.get(f"{seat.path}/log", last=last))
        else:
            say_log(seat.lines(last=last, full=full))

    def why(self, number: int, side: str | None, as_json: bool) -> None:
        """Explain one entry."""
        from laager.cli.play.looking import say_why

        seat = self.hall.seat(side)
        if number < 1:
            raise RefusedError(Refusal.NO_SUCH, "entries are numbered from 1")
        found = seat.line.get(f"{seat.path}/log/{number}/why")
        if as_json:
            show_json(found)
        else:
            say_why(found)

    def sheets(self, names: Sequence[str], side: str | None, as_json: bool,
               as_csv: bool) -> None:  # fmt: skip
        """Print record sheets."""
        from laager.cli.play.looking import print_sheets

        seat = self.hall.seat(side)
        found: list[dict[str, Any]] = []
        for name in names:
            found += seat.line.get(f"{seat.path}/sheets/{quote(name, safe='')}")
        if not names:
            found = seat.line.get(f"{seat.path}/sheets")["sheets"]
        if not found:
            raise RefusedError(Refusal.NO_SUCH, "there are no sheets yet")
        print_sheets([sheet_of(one) for one in found], as_json, as_csv)

    def offered(self, side: str | None, as_json: bool) -> None:
        """List what can be printed."""
        from laager.cli.play.printing import print_offers

        seat = self.hall.seat(side)
        print_offers(seat.line.get(f"{seat.path}/sheets")["offers"], as_json)

    def to_pdf(self, names: list[str], out: Path, side: str | None, paper: str, language: str,
               as_json: bool) -> None:  # fmt: skip
        """Print sheets into a PDF."""
        from laager.cli.play.printing import check_pdf, told_of_pdf

        check_pdf(out)
        seat = self.hall.seat(side)
        data = seat.line.file(f"{seat.path}/print", name=names, paper=paper, language=language)
        told_of_pdf(out, data, as_json)

    def draw(self, source: Path | None, out: Path, side: str | None, width: int, as_json: bool,
             backdrop: bool, boards: Path | None) -> None:  # fmt: skip
        """Draw the campaign's map."""
        from laager.cli.play import looking

        if source is not None:
            looking.draw(source, out, None, side, width, as_json, backdrop, boards)
            return
        if backdrop or boards is not None:
            raise WrongUseError("--backdrop is for maps in files; the server's page has it too")
        looking.check_drawing(out)
        seat = self.hall.seat(side)
        svg = seat.line.file(f"{seat.path}/map.svg").decode()
        looking.write_drawing(svg, out, width, seat.status()["title"], as_json)

    def export(self, side: str | None) -> None:
        """Print all that the seat may know."""
        seat = self.hall.seat(side)
        show_json(seat.line.get(f"{seat.path}/state"))

    def verify(self, as_json: bool) -> None:
        """Have the log proven by the server."""
        from laager.cli.play.looking import told_of_proof

        seat = self.hall.any_seat()
        told_of_proof(seat.line.get(f"{seat.path}/verify") | {"note": ""}, as_json)


def sheet_of(told: dict[str, Any]) -> Sheet:
    """Return a sheet from what a server says of it."""
    try:
        return Sheet(
            told["id"],
            told["title"],
            tuple(Column(one["title"], one["align"]) for one in told["columns"]),
            tuple(tuple(row) for row in told["rows"]),
            tuple(told["notes"]),
            told["side"],
        )
    except (KeyError, TypeError) as err:
        raise DataError([], Refusal.BAD_DATA, "the server's sheet cannot be read") from err
