"""A battle as a save of VASL: the units of a campaign as counters on a board, written by tests.

The names of the counters are written down here by what VASL calls them, not by what Laager reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from laager.vasl.boards.layout import Geometry
from laager.vasl.saves.placing import Shape, Shapes, usual_shape

from .save_writer import Counter, Part, board, concealed, game, hidden, layer, log, save_bytes, stack

EDGE = 400
PASSWORDS = {"axis": "adlerhorst-77", "allied": "krasnaya-99"}
CODES = {"german": "ge", "russian": "ru", "british": "br", "american": "am", "japanese": "ja"}
SIZES = {"squad": "1sq", "half-squad": "1hs", "crew": "Icr"}


def shapes(code: str, columns: int, rows: int) -> Shapes:
    """Return what knows one more board: columns of the usual width, B0 a half hex at the top."""
    known = Shape(code, round((columns - 1) * 56.25), round(rows * 64.5), Geometry())
    return lambda name: known if name == code else usual_shape(name)


def pixel(name: str, rows: int = 20, left: int = 0) -> tuple[int, int]:
    """Return where the centre of a hex is, on a board that lies alone; column A lies `left` pixels from its edge."""
    letters = name.rstrip("0123456789").lstrip("0123456789")
    column = ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)
    row = int(name[name.index(letters) + len(letters) :])
    down = row * 64.5 if column % 2 else (row - 0.5) * 64.5
    # The last half hex ends with the board.
    return EDGE + left + int(column * 56.25 + 0.5), EDGE + min(int(down), int(rows * 64.5 + 0.5) - 1)


def text(unit: Any) -> tuple[str, str]:
    """Return the basic name of a unit's counter and the name of its layer, if it has one."""
    kind, type_ = unit.kind, unit.type
    if kind in SIZES:
        return f"{type_} {SIZES[kind]}", ""
    if kind == "leader":
        return f"{CODES[unit.nation]}LDR", type_
    if kind == "commissar":
        return f"{CODES[unit.nation]}COM", type_
    if kind == "armor-leader":
        return f"{type_} AL", ""
    if kind == "hero":
        return "Hero", ""
    return type_.replace("PzI", "PzKw I"), ""


@dataclass
class Battle:
    """Counters by stack, in the making."""

    code: str = "RZ"
    rows: int = 20
    stacks: dict[tuple[str, int], list[Counter]] = field(default_factory=dict)
    number: int = 0
    left: int = 0

    def counter(self, name: str, *traits: Part, code: str = "sh", level: str = "", map_: str = "Main Map") -> Counter:
        self.number += 1
        layers = [layer(level.replace("+", "\\+"))] if level else []
        made = Counter(str(self.number), name, [*traits, *layers], map=map_)
        return replace(made, image=f"{code}/one")

    def put(self, at: str, *counters: Counter, pile: int = 0) -> None:
        """Put counters on a hex, on top of what its stack has already."""
        where = pixel(at, self.rows, self.left) if at else (40, 40)
        there = self.stacks.setdefault((at, pile), [])
        there += [replace(one, at=where) for one in counters]

    def unit(self, unit: Any, *traits: Part) -> Counter:
        """Return the counter of a unit."""
        name, level = text(unit)
        return self.counter(name, *traits, code=CODES[unit.nation], level=level)

    def marker(self, name: str, code: str = "sh") -> Counter:
        return self.counter(name, code=code)

    def save(self, boards: str = "", chats: Sequence[str] = ()) -> bytes:
        """Return the whole save; with lines of chat a log."""
        commands: list[str] = []
        for number, counters in enumerate(self.stacks.values()):
            commands += [one.command() for one in counters]
            commands.append(stack(f"s{number}", counters))
        text = game(*commands, boards=boards or board(0, 0, self.code))
        return save_bytes(log(text, *([f"CHAT{chat}"] for chat in chats)) if chats else text)


def as_recorded(units: Iterable[Any], code: str = "RZ", rows: int = 20, hide: bool = True, left: int = 0) -> Battle:
    """Return a battle in which all units on the map are where the record has them.

    Men first, their weapons on top of them; what the record has hidden or concealed is so too.
    """
    battle = Battle(code, rows, left=left)
    listed = [unit for unit in units if unit.on_map]
    for unit in _stacked(listed):
        marks = {mark.value for mark in unit.marks}
        traits: Sequence[Part] = ()
        password = PASSWORDS[unit.side]
        if hide and "hip" in marks:
            traits = [hidden(password)]
        elif hide and "concealed" in marks:
            traits = [concealed(password, CODES[unit.nation])]
        # The two sides never share a stack.
        battle.put(unit.hex, battle.unit(unit, *traits), pile=int(unit.side == "axis"))
    return battle


def _stacked(units: Sequence[Any]) -> list[Any]:
    """Return units so that what is with somebody lies right above him."""
    found: list[Any] = []
    ids = {unit.id for unit in units}

    def add(unit: Any) -> None:
        found.append(unit)
        for other in units:
            if other.with_unit == unit.id:
                add(other)

    for unit in units:
        if unit.with_unit not in ids:
            add(unit)
    return found
