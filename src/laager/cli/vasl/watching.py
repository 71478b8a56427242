"""A folder watched: each new save of the battle becomes a report that is filled in."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import DataError, LaagerError, Refusal, RefusedError
from laager.cli.options import CampaignFile, SaveBoards, SaveOwner, Side, examples
from laager.cli.out import say, say_wrapped
from laager.cli.play.campaign_file import campaign_path, looked_at
from laager.cli.play.session import in_file
from laager.cli.writing import put

if TYPE_CHECKING:
    from laager.cli.play.file_session import FileSession
    from laager.vasl import Proposal

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the command over as its own."""

SUFFIXES = frozenset({".vsav", ".vlog"})
MOST_LINES = 6
"""Most findings of one kind that are said about a save; the report's file has all."""


@app.command(
    short_help="watch a folder: each new save becomes a report, filled in",
    epilog=examples(
        "laager vasl watch ~/vasl/saves --side axis",
        "laager vasl watch saves -s allied -c tuesday.laager --out reports --boards boards",
    ),
)
def watch(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where you save the battle in VASL.")],
    campaign: CampaignFile = None,
    side: Side = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where reports are written; if left out, this folder.")
    ] = Path(),
    boards: SaveBoards = None,
    owner: SaveOwner = None,
    every: Annotated[float, typer.Option(min=0.05, max=3600, metavar="SECONDS", help="How often to look.")] = 2.0,
    open_: Annotated[bool, typer.Option("--open", help="Open each report with your editor.")] = False,
) -> None:
    """Watch a folder for saves and logs of the battle, until Ctrl-C; needs --side.

    When a file is new or has changed, and is whole, you see what it would report, and the report (or the setup, if
    that is asked) is written as a file to be changed and submitted. Nothing is submitted by itself. Files that are
    still being written, broken ones and saves of another battle are skipped. While no report is asked, the newest
    save waits until one is.
    """
    at = in_file(campaign, side, "on a server drop the save on the Table page").of_one_side()
    for place in (folder, out):
        if not place.is_dir():
            raise RefusedError(Refusal.NO_SUCH, f"{place} is not a folder", "name one that exists")
    watcher = Watcher(at, out, boards, owner)
    watched = SaveFolder(folder)
    launch = _launch if open_ else lambda report: None
    say(f"watching {folder} for saves of {at.about()[0]}, for {at.side}; Ctrl-C ends it")
    sys.stdout.flush()
    try:
        while True:
            time.sleep(every)
            for path, whole in watched.list_changes():
                if not whole:
                    say(f"{_name(path)} is still being written")
                else:
                    launch(watcher.tell(path))
            launch(watcher.tell_waiting())
            sys.stdout.flush()
    except KeyboardInterrupt:
        return


def _launch(report: Path | None) -> None:
    """Open a report with the user's editor."""
    if report is not None:
        typer.launch(str(report))


@dataclass
class SaveFolder:
    """The saves and logs in a folder, by size and time of change; those that are there at first aren't news."""

    folder: Path
    _known: dict[Path, tuple[int, int]] = field(init=False)
    _growing: dict[Path, tuple[int, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._known = self._scan()

    def list_changes(self) -> Iterator[tuple[Path, bool]]:
        """Yield new and changed files, and if they are whole: the same as when they were last looked at.

        Raises RefusedError if the folder is gone.
        """
        for path, state in self._scan().items():
            before = self._growing.pop(path, None)
            if state == self._known.get(path):
                continue
            if state == before:
                self._known[path] = state
                yield path, True
            else:
                self._growing[path] = state
                if before is not None:
                    yield path, False

    def _scan(self) -> dict[Path, tuple[int, int]]:
        states = {}
        try:
            paths = sorted(path for path in self.folder.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError as err:
            why = f"{self.folder} can't be looked into any more ({err.strerror})"
            raise RefusedError(Refusal.NO_SUCH, why, "watch it again when it is there") from None
        for path in paths:
            try:
                stat = path.stat()
            except OSError:
                # Gone since it was listed, or a link to nothing.
                continue
            if path.is_file():
                states[path] = (stat.st_size, stat.st_mtime_ns)
        return states


@dataclass
class Watcher:
    """Reads saves for one side of a campaign, and writes their reports; it overwrites only what it wrote itself.

    `waiting` is the newest save that came while no report was asked.
    """

    at: FileSession
    out: Path
    boards: Path | None = None
    owner: int | None = None
    waiting: Path | None = field(init=False, default=None)
    _log: tuple[int, int] = field(init=False, default=(0, 0))
    _written: dict[Path, bytes] = field(init=False, default_factory=dict)

    def tell(self, path: Path) -> Path | None:
        """Say what a save would report, and write that; return the report's file, None if the save is skipped."""
        from laager.cli.play.from_save import SaveFile, propose_in, template_lines
        from laager.rules.board.report import REPORT_KEYS
        from laager.vasl import asked_of_save

        try:
            # The campaign may have gone on since the last save.
            seen = self.at.view(looked_at(self.at.file))
            try:
                question = asked_of_save(seen)
            except RefusedError as err:
                self.waiting = path
                say_wrapped(f"{_name(path)} waits: {_reason(err)}")
                return None
            self.waiting = None
            proposal = propose_in(seen, SaveFile(path, self.boards, self.owner), {})
            if proposal.other_battle:
                raise RefusedError(Refusal.BAD_DATA, proposal.other_battle)
            lines = [*template_lines(proposal, question), ""]
            target = self._write(path, "\n".join(lines).encode())
        except LaagerError as err:
            say_wrapped(f"{_name(path)} is skipped: {_reason(err)}")
            return None
        say(*_summary(_name(path), proposal, question.default))
        command = "report" if question.key in REPORT_KEYS else "answer"
        say_wrapped(f"written: {target}; change it, then: laager {command} --side {self.at.side} {target}")
        return target

    def tell_waiting(self) -> Path | None:
        """Do the same with the save that waits, if the campaign has gone on and asks for a report now."""
        from laager.vasl import asked_of_save

        if self.waiting is None:
            return None
        try:
            log = campaign_path(self.at.file).stat()
            before, self._log = self._log, (log.st_size, log.st_mtime_ns)
            if before == self._log:
                return None
            asked_of_save(self.at.view(looked_at(self.at.file)))
        except LaagerError:
            return None
        return self.tell(self.waiting)

    def _write(self, path: Path, text: bytes) -> Path:
        """Write a report under the save's name; one that was changed since, or was there before, stays as it is."""
        stem = f"{path.stem}-{self.at.side}"
        number, target = 1, self.out / f"{stem}.yaml"
        while target.exists() and target.read_bytes() not in (text, self._written.get(target)):
            number += 1
            target = self.out / f"{stem}-{number}.yaml"
        put(target, text)
        self._written[target] = text
        return target


def _summary(name: str, proposal: Proposal, recorded: Any) -> Iterator[str]:
    """Yield a few lines about what a save would report other than the record has, and what it leaves open."""
    changes = list(changes_of(proposal.report, recorded or {}))
    settled = "" if proposal.settled else f"; {len(proposal.open) + len(proposal.problems)} to be settled"
    yield f"{name}: {len(changes) or 'no'} change{'s' if len(changes) != 1 else ''}{settled}"
    for listed in (changes, [finding.words for finding in proposal.open], [str(each) for each in proposal.problems]):
        yield from (f"  {line}" for line in listed[:MOST_LINES])
        if len(listed) > MOST_LINES:
            yield f"  … and {len(listed) - MOST_LINES} more"
    yield from (f"  doubtful: {doubt}" for doubt in proposal.doubts)


def changes_of(report: Mapping[str, Any], recorded: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rows and values of a report that the record doesn't have, each in a line."""
    for part, value in report.items():
        before = recorded.get(part)
        if not isinstance(value, list):
            if value != before:
                yield f"{part}: {value}"
            continue
        rows = [row for row in before or () if isinstance(row, dict)]
        known = {row["unit"]: row for row in rows if "unit" in row}
        for row in value:
            if row in rows:
                continue
            old = known.get(row.get("unit"), {})
            new = (f"{name} {_text(entry)}" for name, entry in row.items() if name != "unit" and entry != old.get(name))
            yield f"{row.get('unit') or part}: {', '.join(new)}"


def _text(value: Any) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value) or "none"


def _reason(err: LaagerError) -> str:
    """Return why a save is skipped, without the file's name, which has been said."""
    if not isinstance(err, DataError):
        return str(err)
    return "; ".join(str(replace(problem, file="")) for problem in err.problems[:3])


def _name(path: Path) -> str:
    """Return a file's name as it can be printed: others may have put it into the folder."""
    return "".join(character if character.isprintable() else "?" for character in path.name)
