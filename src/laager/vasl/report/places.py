"""The places of a save's pieces on the campaign's map, and the pieces that the reporting side can see.

A board with a number (01, 6a) is the map's board of the same number. Of the other boards the first is the one whose
hexes have no prefix on the map, as `board_prefixes` has it. Boards for parking counters (Blank0) are beside the map; of
several others that could be its board, the map's own source note decides.

Owners of hidden and concealed pieces have numbers only (`owners`). An owner belongs to a side if all personnel and
concealment counters that he hides, conceals or has placed are of that side's nation. Nothing hidden is shown of any
other owner, unless the side says which number is its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign import Choice, Record, Rows, Several
from laager.hexmap import HexMap, parse_name
from laager.rules.board.context import CardContext
from laager.vasl.report.findings import Findings
from laager.vasl.report.marked import MarkedPieces
from laager.vasl.saves.counters import CounterKind, status_in_name
from laager.vasl.saves.game import CASUALTIES, Piece, Save, pieces_visible_to
from laager.vasl.saves.placing import BoardInSave, PixelPlace, place_at_pixel
from laager.vasl.saves.stacks import apply_stacks

_NUMBER = re.compile(r"0*([0-9]{1,3}[a-z]{0,2})")
_FROM = re.compile(r"VASL board ([^,;]+)")

SEAM = 3
"""Distance over which VASL snaps pieces across the seam of two boards, in pixels."""

ON_MAP, BESIDE, DEAD, NOWHERE = "on-map", "beside", "casualties", "nowhere"
"""A piece lies on the map, next to the boards, in the casualties bin, or in an unknown place."""


@dataclass(frozen=True)
class Spot:
    """The place of a piece: one of the four words, its Location, and the doubt about it."""

    where: str
    at: str = ""
    doubt: str = ""
    climbing: bool = False


@dataclass(frozen=True)
class Boards:
    """A save's boards on the campaign's map, each with the prefix of its hexes.

    `rooms` are Locations that fortifications make, `parking` the boards on which counters are parked, `used` those that
    the map has.
    """

    map: HexMap
    prefixes: Mapping[str, str]
    rooms: Collection[str]
    parking: Collection[str] = ()
    used: Sequence[BoardInSave] = ()

    def spot(self, piece: Piece, stack: Sequence[Piece] = ()) -> Spot:
        """Return the place of a piece; `stack` are the pieces of its stack."""
        if piece.map == CASUALTIES:
            return Spot(DEAD)
        if not piece.on_map:
            return Spot(NOWHERE)
        if not piece.place.known:
            return Spot(NOWHERE, doubt="a board's size is not known here, so neither is its hex")
        place = piece.place
        if place.hex is not None and place.board not in self.prefixes:
            place = self._across_seam(piece) or place
        if place.hex is None or place.board in self.parking:
            return Spot(BESIDE)
        prefix = self.prefixes.get(place.board or "")
        if prefix is None:
            problem = f"board {place.board} is not on the campaign's map"
            return Spot(NOWHERE, doubt=f"{problem} ({place.location})")
        name = f"{prefix}{place.hex}"
        if name not in self.map:
            return Spot(NOWHERE, doubt=f"the campaign's map has no hex {name}")
        name = self.map.main(name)
        if name not in self.map.playable:
            return Spot(NOWHERE, doubt=f"{name} is not in play")
        return self._level(name, piece, stack)

    def _across_seam(self, piece: Piece) -> PixelPlace | None:
        """Return the hex of the map whose other half is on a board that the map lacks; VASL names it by that board."""
        for x, y in ((-SEAM, 0), (0, -SEAM), (SEAM, 0), (0, SEAM)):
            place = place_at_pixel(self.used, piece.x + x, piece.y + y)
            if place.hex is not None:
                return place
        return None

    def _level(self, name: str, piece: Piece, stack: Sequence[Piece]) -> Spot:
        room = f"{name}.p"
        if room in self.rooms and _under_pillbox(piece, stack):
            return Spot(ON_MAP, room)
        level = piece.level
        if level is None or level.kind in ("entrenchment", "crest"):
            return Spot(ON_MAP, name)
        if level.kind == "climb":
            return Spot(ON_MAP, name, climbing=True)
        number = level.level or 0
        at = name if number == 0 else f"{name}.c" if number < 0 else f"{name}.{number}"
        if level.kind == "roof" or at not in self.map.locations(name):
            has = ", ".join(self.map.locations(name))
            return Spot(ON_MAP, name, f"{level.name}: {name} has no such Location ({has})")
        return Spot(ON_MAP, at)


def _under_pillbox(piece: Piece, stack: Sequence[Piece]) -> bool:
    return any(
        other.height > piece.height
        and other.kind is CounterKind.FORTIFICATION
        and other.unit.endswith(("Pillbox", "PTObox"))
        for other in stack
    )


def boards_of(laid: Sequence[BoardInSave], map_: HexMap, rooms: Collection[str], file: str) -> Boards:
    """Return the boards of a save on the map. Raises DataError if none of them is on it."""
    names = (name for hex_ in map_.hexes.values() for name in (hex_.name, *hex_.aliases))
    known = {name.board for name in map(parse_name, names) if name is not None}
    prefixes: dict[str, str] = {}
    others: list[str] = []
    for board in laid:
        number = _NUMBER.fullmatch(board.name) or _NUMBER.fullmatch(board.code)
        if number and number[1] in known:
            prefixes.setdefault(board.name, number[1])
        elif not number and board.name not in others and not board.is_parking:
            others.append(board.name)
    free = sorted(known - set(prefixes.values()), key=lambda prefix: (len(prefix), prefix))
    free = [prefix for prefix in free if not prefix[:1].isdigit()]
    if len(others) > len(free):
        origin = _origin(map_)
        others = [board.name for board in laid if board.name in others and _is_from(board, origin)]
    if len(others) == len(free):
        prefixes.update(zip(others, free, strict=True))
    if not prefixes:
        raise DataError([_wrong_map(laid, map_, known, file)])
    parking = frozenset(board.name for board in laid if board.is_parking)
    return Boards(map_, prefixes, rooms, parking, [board for board in laid if board.name in prefixes])


def _wrong_map(laid: Sequence[BoardInSave], map_: HexMap, known: Collection[str], file: str) -> Problem:
    names = ", ".join(board.name for board in laid) or "none"
    numbers = ", ".join(sorted(prefix for prefix in known if prefix))
    right = f"a save on its boards ({numbers})" if numbers else "a save on its one board"
    return Problem(f"its boards ({names}) are not those of the map {map_.title}", right, file=file)


def board_doubts(laid: Sequence[BoardInSave], map_: HexMap) -> list[str]:
    """Return the doubts about the boards, in sentences."""
    sentences = []
    origin = _origin(map_)
    for board in laid:
        if board.shape is None:
            sentences.append(f"board {board.name}: its size is not known here; name the folder of your boards")
        elif board.is_parking:
            sentences.append(f"board {board.name} is for parking counters: what lies on it is taken to be off the map")
        elif origin and not _is_from(board, origin):
            origins = " and ".join(sorted(origin.values()))
            sentences.append(f"the map was made from {origins}, the save lies on {board.name}")
    return sentences


def _origin(map_: HexMap) -> dict[str, str]:
    """Return the names of the boards that a map was made from, by their plain names."""
    return {_plain_name(name): name for name in _FROM.findall(map_.source_note)}


def _is_from(board: BoardInSave, origin: Collection[str]) -> bool:
    return not {_plain_name(board.name), _plain_name(board.code)}.isdisjoint(origin)


def _plain_name(name: str) -> str:
    """Return the name of a board without leading zeros."""
    return name.lstrip("0").lower()


CODES: Mapping[str, frozenset[str]] = {
    "german": frozenset({"ge", "ss"}),
    "russian": frozenset({"ru"}),
    "partisan": frozenset({"ru"}),
    "american": frozenset({"am", "us"}),
    "british": frozenset({"br"}),
    "french": frozenset({"fr"}),
    "italian": frozenset({"it"}),
    "japanese": frozenset({"ja"}),
    "finnish": frozenset({"fi"}),
    "hungarian": frozenset({"hu"}),
    "axis-minor": frozenset({"ax"}),
    "allied-minor": frozenset({"al"}),
    "chinese": frozenset({"ch"}),
}
"""The codes that VASL's counters have, by the group of the catalogue's nation."""

PERSONNEL = frozenset({CounterKind.MMC, CounterKind.SMC})

MEN = PERSONNEL | {CounterKind.CONCEALMENT}
"""Kinds that identify an owner's side: weapons and vehicles can be captured."""

ARMS = frozenset({CounterKind.SW, CounterKind.GUN, CounterKind.VEHICLE})


@dataclass(frozen=True)
class NationCodes:
    """The codes of the reporting side's nation, and of the enemy's."""

    own: frozenset[str]
    enemy: frozenset[str]

    def side_of(self, code: str | None) -> str:
        """Return `own` or `enemy`; "" if the code fits both or neither."""
        if code in self.own and code not in self.enemy:
            return "own"
        if code in self.enemy and code not in self.own:
            return "enemy"
        return ""


def owners_of(save: Save, nations: NationCodes) -> Mapping[int, frozenset[str]]:
    """Return by owner the sides of the men (or else weapons) that he hides, conceals or covers: own, enemy, ""."""
    men: dict[int, set[str]] = {}
    arms: dict[int, set[str]] = {}
    for piece in save.pieces:
        for owner in (piece.hidden_by, piece.concealed_by, piece.counter_of):
            if owner is None:
                continue
            whose = nations.side_of(piece.nation)
            if piece.kind in MEN:
                men.setdefault(owner, set()).add(whose)
            elif piece.kind in ARMS:
                arms.setdefault(owner, set()).add(whose)
    return {owner: frozenset(men.get(owner) or arms[owner]) for owner in {*men, *arms}}


def visible_pieces(save: Save, nations: NationCodes, owner: int | None = None) -> tuple[Piece, ...]:
    """Return the pieces as the side may see them, their stacks read anew from these alone.

    `owner` is the number that the side says is its own; of one who hides for both sides only pieces
    of its nation are shown. Raises RefusedError for a number that cannot be its own.
    """
    whose = owners_of(save, nations)
    sure = {number for number, sides in whose.items() if sides == {"own"}}
    if owner is not None and whose.get(owner, frozenset({"enemy"})) == {"enemy"}:
        # One sentence for both: whether somebody else hides something is not told.
        raise RefusedError(Refusal.NO_SUCH, f"owner {owner} of {save.file} hides or conceals nothing of yours")

    def mine(piece: Piece) -> bool:
        holders = {holder for holder in (piece.hidden_by, piece.concealed_by) if holder is not None}
        if holders <= sure:
            return True
        same = owner is not None and "enemy" not in whose[owner]
        return holders <= {*sure, owner} and (same or nations.side_of(piece.nation) == "own")

    public = {piece.id: piece for piece in pieces_visible_to(save)}
    by_id: dict[str, Piece] = {}
    for piece in save.pieces:
        if mine(piece):
            by_id[piece.id] = _without_stack(piece)
        elif piece.id in public:
            by_id[piece.id] = _without_stack(public[piece.id])
    return tuple(apply_stacks(by_id, save.stacks).values())


def open_pieces(save: Save) -> tuple[Piece, ...]:
    """Return the pieces as everybody sees them, their stacks read anew from these alone."""
    by_id = {piece.id: _without_stack(piece) for piece in pieces_visible_to(save)}
    return tuple(apply_stacks(by_id, save.stacks).values())


def _without_stack(piece: Piece) -> Piece:
    """Return a piece with its own status alone, without that from its stack."""
    statuses = status_in_name(piece.name)
    if "moved" in piece.status:
        statuses = (*statuses, "moved")
    return replace(piece, level=None, stack=None, order=None, status=statuses, perhaps=())


def man_below(piece: Piece, stack: Sequence[Piece]) -> Piece | None:
    """Return the nearest man under a piece in its Location: a weapon's possessor."""
    men = (
        candidate
        for candidate in stack
        if candidate.kind in PERSONNEL and candidate.height < piece.height and candidate.level == piece.level
    )
    return max(men, key=lambda candidate: candidate.height, default=None)


@dataclass
class Scene:
    """A save as the side that reports sees it, and the form of its report."""

    cg: CardContext
    side: str
    form: Record
    boards: Boards
    pieces: Sequence[Piece]
    nations: NationCodes
    findings: Findings
    marked: MarkedPieces = field(default_factory=MarkedPieces)

    def __post_init__(self) -> None:
        by_stack: dict[str | None, list[Piece]] = {}
        for piece in self.pieces:
            by_stack.setdefault(piece.stack, []).append(piece)
        self._stacks = {
            stack: tuple(sorted(inside, key=lambda member: member.height)) for stack, inside in by_stack.items()
        }

    def stack(self, piece: Piece) -> tuple[Piece, ...]:
        """Return all pieces of the stack in which a piece lies, bottom to top, itself too."""
        return (piece,) if piece.stack is None else self._stacks[piece.stack]

    def spot(self, piece: Piece) -> Spot:
        """Return the place of a piece."""
        return self.boards.spot(piece, self.stack(piece))

    def side_of(self, piece: Piece) -> str:
        """Return `own` or `enemy`; "" if the nation of a piece fits both or neither."""
        return self.nations.side_of(piece.nation)

    def leave_out(self, piece: Piece, at: str, why: str) -> None:
        """Note a piece that the report has no place for."""
        self.findings.leave_out(f"piece:{piece.id}", piece.name, why, at)

    def has(self, part: str) -> bool:
        """True if the report has a part of this name."""
        return any(entry.name == part for entry in self.form.fields)

    def has_field(self, part: str, name: str) -> bool:
        """True if the rows of a part have a field of this name."""
        form = next((entry.form for entry in self.form.fields if entry.name == part), None)
        return isinstance(form, Rows) and any(entry.name == name for entry in form.row.fields)

    def options(self, part: str, inner: str = "") -> dict[str, str]:
        """Return the words that a part of the report (or a field of its rows) allows, with their labels."""
        form = next((entry.form for entry in self.form.fields if entry.name == part), None)
        if isinstance(form, Rows):
            form = next((entry.form for entry in form.row.fields if entry.name == inner), None)
        return {entry.value: entry.label for entry in form.options} if isinstance(form, Several | Choice) else {}
