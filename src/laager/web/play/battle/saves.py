"""What goes to VASL and comes back: setups as saves; reports, setups and rolls from saves and logs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from django.utils.text import slugify

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Question
from laager.rules.board.context import CardContext
from laager.rules.board.report import REPORT_KEYS
from laager.web.campaigns import drafts
from laager.web.campaigns.tables import Asked, Table
from laager.web.library.maps import board_maps, boards
from laager.web.models import OwnCounters, Player
from laager.web.seats.permissions import Seat
from laager.web.shared import processes
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.vasl import BattleSetup, LoggedRoll, Proposal, VaslModule

MOST = 16 * 2**20
"""The largest save that is taken, in bytes. It is kept in memory, while it is read."""
MOST_ROLLS = 200
"""Most rolls of a log that are offered."""
SETUP = "setup"
"""The key of the question that a save answers before a battle."""


def find_report(table: Table, mark: str) -> tuple[Asked, Question]:
    """Return the report that is asked under a mark.

    Raises RefusedError if it is no longer asked, isn't a report, or is the other side's.
    """
    asked = table.find(mark)
    question = asked.pending.question
    if question is None or question.key not in REPORT_KEYS:
        raise RefusedError(Refusal.NO_SUCH, "this is not a report", "answer it with its form")
    if not drafts.of_side(table.seat) or asked.pending.side != table.seat.viewer:
        raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked reports its battle")
    return asked, question


def reports_of(table: Table) -> list[Asked]:
    """Return the reports that are asked of the seat's side now."""
    return [
        asked
        for asked in table.asked
        if asked.pending.question is not None
        and asked.pending.key in REPORT_KEYS
        and asked.pending.side == table.seat.viewer
    ]


def find_setup(table: Table, mark: str) -> Asked:
    """Return the setup that is asked under a mark.

    Raises RefusedError if it is no longer asked, isn't a setup, or is the other side's.
    """
    asked = table.find(mark)
    if asked.pending.question is None or asked.pending.key != SETUP:
        raise RefusedError(Refusal.NO_SUCH, "this is not a setup", "answer it with its form")
    if not drafts.of_side(table.seat) or asked.pending.side != table.seat.viewer:
        raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked sets up")
    return asked


def find_answer_of_save(table: Table, mark: str) -> Asked:
    """Return what is asked under a mark if a save answers it, a report or a setup; raises RefusedError as these do."""
    asked = table.find(mark)
    return find_setup(table, mark) if asked.pending.key == SETUP else find_report(table, mark)[0]


def propose_from_save(
    seat: Seat, table: Table, mark: str, data: bytes, file: str, choices: Mapping[str, str], owner: int | None = None
) -> Proposal:
    """Read a save or a log as a proposal for the report or the setup asked for.

    `file` is the name that the file has with its owner. The proposal becomes the side's draft.
    Raises DataError for a file that isn't valid. Nothing of the file is kept beyond what the proposal says.
    """
    from laager.vasl import propose

    name = _check_file(data, file)
    shapes = boards.Shelf(seat.user).shapes()
    proposal = propose(table.view, data, name, shapes=shapes, owner=owner, choices=choices)
    drafts.keep(seat, mark, dict(proposal.report), proposal.table_rolls)
    return proposal


def _check_file(data: bytes, file: str) -> str:
    """Return the name of a file as it's shown. Raises DataError if it is empty or too large."""
    name = display_name(file)
    if not data:
        raise DataError([Problem("the file is empty", "a .vsav or .vlog of VASL", file=name)])
    if len(data) > MOST:
        wrong = Problem(f"{len(data)} bytes is too large", f"{MOST} at most", file=name)
        raise DataError([wrong])
    return name


def rolls_in(data: bytes, file: str, dice: int) -> list[LoggedRoll]:
    """Return a log's rolls of this number of dice, the last one first. Raises DataError for a file that isn't valid."""
    from laager.vasl import Archive, rolls_of_dice, save_of

    name = _check_file(data, file)
    rolls = list(rolls_of_dice(save_of(Archive(data, name)).rolls, dice).values())
    if not rolls:
        raise DataError([Problem("has no such roll", "roll the dice in VASL while it writes the log", file=name)])
    return rolls[::-1][:MOST_ROLLS]


def display_name(file: str) -> str:
    """Return the name of a file as it is shown: without folders, only text, not long."""
    name = PurePath(file.replace("\\", "/")).name
    return "".join(ch for ch in name if ch.isprintable())[:80] or "the save"


# Setups for VASL ----------------------------------------------------------------------------------

MOST_FILES = 8
"""Most files of counters and extensions that are taken at once."""
KEPT = 4
"""How many people's counters a worker keeps in memory, taken apart; each some MB."""
MOST_SAVE = 16 * 2**20
"""The largest save that counters are added to, in bytes."""
SAVE, LOG = "vsav", "vlog"
COUNTERS_WANTED = "choose your VASL.vmod in a browser with scripts, or the file that laager vasl module made"

_READY: Recent[str, VaslModule] = Recent(KEPT)


@dataclass(frozen=True)
class SetupFile:
    """A setup as a file: its name, its content, how many counters are in it."""

    name: str
    data: bytes
    pieces: int


def counters_of(user: Player) -> OwnCounters | None:
    """Return what somebody has of a module, without the counters themselves; None without any."""
    return OwnCounters.objects.filter(owner=user).defer("data").first()


def extensions_of(user: Player) -> list[str]:
    """Return the names and versions of the extensions whose counters somebody has."""
    own = OwnCounters.objects.filter(owner=user).first()
    if own is None:
        return []
    return [f"{extension.name} {extension.version}".strip() for extension in _module(own).extensions]


def keep_counters(user: Player, files: Sequence[tuple[str, bytes]]) -> OwnCounters:
    """Keep somebody's counters in place of those before: the names and contents of files.

    One is what `laager vasl module` makes, or a module of which a browser has left the definitions alone. The others
    are extensions; without that one they are added to the counters that are kept. Raises DataError if they aren't.
    """
    module = _module_in(user, files)
    data = module.pack()
    kept, _ = OwnCounters.objects.update_or_create(
        owner=user,
        defaults={
            "version": module.version,
            "counters": len(module.slots),
            "sha256": hashlib.sha256(data).hexdigest(),
            "data": data,
        },
    )
    return kept


def _module_in(user: Player, files: Sequence[tuple[str, bytes]]) -> VaslModule:
    """Return the module in some files, with their extensions. Raises DataError."""
    from laager.vasl import EXTENSION_SUFFIX, MAX_PACKED, Archive, counters_in, extension_of

    if not files:
        raise DataError([Problem("no file arrived", COUNTERS_WANTED)])
    if len(files) > MOST_FILES:
        raise DataError([Problem("too many files arrived", f"{MOST_FILES} at most; send the other extensions later")])
    for name, data in files:
        if not data or len(data) > MAX_PACKED:
            raise DataError(
                [Problem(f"{len(data)} bytes is not the size of a file of counters", COUNTERS_WANTED, file=name)]
            )
    extensions = [(name, data) for name, data in files if PurePath(name).suffix.lower() == EXTENSION_SUFFIX]
    modules = [file for file in files if file not in extensions]
    own = OwnCounters.objects.filter(owner=user).first()
    if len(modules) > 1:
        raise DataError([Problem("is a second module", "choose one, and its extensions (.vmdx)", file=modules[1][0])])
    if modules:
        module = counters_in(modules[0][1], modules[0][0])
    elif own is not None:
        module = _module(own)
    else:
        raise DataError([Problem("is an extension", "choose VASL.vmod with it", file=extensions[0][0])])
    for name, data in extensions:
        module = module.with_extension(extension_of(Archive(data, name, module=True)))
    return module


def forget_counters(user: Player) -> None:
    """Remove somebody's counters."""
    OwnCounters.objects.filter(owner=user).delete()


def has_boards(table: Table) -> bool:
    """Return True if a campaign's map was made from boards. Raises RefusedError for a campaign without a map."""
    context = table.campaign.context
    if not isinstance(context, CardContext):
        raise RefusedError(Refusal.NO_SUCH, "this campaign has no battle to set up", "campaigns on a map have")
    return bool(context.map.pictures)


def printed_map(table: Table) -> HexMap:
    """Return a campaign's map as it was printed. Raises RefusedError for a campaign without one."""
    context = table.campaign.context
    if not isinstance(context, CardContext):
        raise RefusedError(Refusal.NO_SUCH, "this campaign has no map", "campaigns on a map have a board")
    return context.map.printed


def make_board(user: Player, map_: HexMap) -> tuple[str, bytes]:
    """Return a map's VASL board: its file's name, and its content. Raises DataError for a map that can't be one."""
    return processes.SLOW.do(user.pk, board_maps.make_board, map_)


def setup_at(table: Table, layout: str = "") -> BattleSetup:
    """Return the setup of the battle for the side of a seat; for umpires and spectators of what all know.

    Raises RefusedError without counters or a map on boards, DataError for boards that don't fit.
    """
    from laager.vasl import setup_of

    seat = table.seat
    own = OwnCounters.objects.filter(owner=seat.user).first()
    if own is None:
        right = "send the file that laager vasl module makes of your VASL module"
        raise RefusedError(Refusal.NO_SUCH, "Laager has no counters of yours", right)
    shelf = boards.Shelf(seat.user)
    side = seat.viewer if seat.viewer in table.ruleset.sides else None
    return setup_of(table.campaign, side, _module(own), shelf.battle_boards(), layout.strip()[:400], shelf.codes())


def _module(own: OwnCounters) -> VaslModule:
    from laager.vasl import unpack_counters

    return _READY.get(own.sha256, lambda: unpack_counters(bytes(own.data), "counters"))


def write_setup(table: Table, kind: str, layout: str = "", into: tuple[str, bytes] | None = None) -> SetupFile:
    """Return the setup as a save or a log; with `into` (name, content) what it lacks is added to that save.

    Raises RefusedError as `setup_at` does, and for a log or an addition from a seat without secrets of a side;
    DataError for a save that can't be used.
    """
    setup = setup_at(table, layout)
    if setup.side is None and (kind == LOG or into is not None):
        raise RefusedError(Refusal.NOT_YOURS, "your seat has no units of its own to add", "take the whole save")
    if into is not None:
        name, data = into
        if len(data) > MOST_SAVE:
            raise DataError([Problem(f"{len(data)} bytes is too large", f"{MOST_SAVE} at most", file=name)])
        made = setup.into(data, name)
    else:
        now = datetime.now(UTC)
        made = setup.log(now) if kind == LOG else setup.save(now)
    title = slugify(table.seat.game.title) or "campaign"
    part = f"-{setup.side}" if setup.side else ""
    ending = LOG if kind == LOG and into is None else SAVE
    return SetupFile(f"{title}-{setup.marks.battle}{part}.{ending}", made.data, made.pieces)
