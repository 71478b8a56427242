"""The table on which a log is played: pieces and stacks, and how VASSAL places, moves and merges them.

Pieces lie on a map on their own or in a stack; where a stack is, so are its pieces. What VASSAL does with orders that
make little sense (a stack that lists a piece which is gone, a move onto nothing) is done here as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from laager.vasl.saves.sequence import MAX_PIECES, AddCommand, WorkLimit, decode, encode, fold, unfold
from laager.vasl.saves.traits import MAX_TRAITS, TAB, Position, parse_position

NOWHERE = Position(None, 0, 0)
_PIECE_COST = 20
"""Cost of one piece of a stack when the stack is read, in plain characters."""


@dataclass(eq=False)
class Item:
    """A piece or a stack. `type` and `state` are folded; what lies in a stack is `inside`, bottom to top.

    `stack` is the stack that a piece is in. `at` counts only without one. `order` tells what came onto the map, or was
    moved on it, first.
    """

    id: str
    type: str
    state: str
    work: WorkLimit = field(repr=False)
    at: Position = NOWHERE
    stack: Item | None = None
    inside: list[Item] = field(default_factory=list)
    order: int = 0
    moved: bool = False
    """True if a piece is no longer where its state says."""

    @property
    def is_stack(self) -> bool:
        """True if it's a stack."""
        return self.type == "stack"

    @property
    def place(self) -> Position:
        """Where it is: a piece in a stack is where the stack is."""
        return self.at if self.stack is None else self.stack.at

    @cached_property
    def types(self) -> list[str]:
        """The types of a piece's traits from the outermost inwards. Raises DataError."""
        return unfold(self.type, TAB, self.work, MAX_TRAITS)

    @cached_property
    def states(self) -> list[str]:
        """The states of its traits, to be changed in place. Raises DataError."""
        return unfold(self.state, TAB, self.work, MAX_TRAITS)

    @property
    def fits(self) -> bool:
        """True if it has a state for every trait."""
        return len(self.types) == len(self.states)

    @cached_property
    def loose(self) -> bool:
        """True if VASSAL puts it into no stack."""
        return any(kind.partition(";")[0] == "immob" for kind in self.types)

    def hidden_from(self, player: str) -> bool:
        """True if another than the player hides it."""
        for kind, state in zip(self.types, self.states, strict=False):
            if kind.startswith("hide;") and state not in ("", "null"):
                return state != player
        return False

    def top(self, player: str) -> Item | None:
        """Return the topmost piece of a stack that the player sees."""
        return next((piece for piece in reversed(self.inside) if not piece.hidden_from(player)), None)

    def written_state(self) -> str:
        """Return the state of a stack as VASSAL writes it."""
        map_name = self.at.map or "null"
        return encode((map_name, str(self.at.x), str(self.at.y), *(piece.id for piece in self.inside)), ";")


class Table:
    """All pieces and stacks of a game by id, and what lies on the maps."""

    def __init__(self, work: WorkLimit) -> None:
        self.work = work
        self.items: dict[str, Item] = {}
        self._lying_at: dict[Position, dict[Item, None]] = {}
        self._numbers = count(1)

    # Pieces on the table --------------------------------------------------------------------------

    def begin(self, pieces: tuple[AddCommand, ...], stacks: tuple[AddCommand, ...]) -> None:
        """Put the pieces of a starting state on the table. Raises DataError."""
        for added in (*pieces, *stacks):
            self.items[added.id] = Item(added.id, added.type, added.state, self.work)
        for added in stacks:
            self.arrange(self.items[added.id], added.state)
        for added in pieces:
            item = self.items[added.id]
            if item.stack is None:
                self._lay(item, parse_position(decode(item.states[-1], ";")))

    def add(self, added: AddCommand) -> None:
        """Add a piece or a stack. Raises DataError if it has no position."""
        item = Item(added.id, added.type, added.state, self.work)
        self.items[item.id] = item
        if item.is_stack:
            self.arrange(item, added.state)
        else:
            self._lay(item, parse_position(decode(item.states[-1], ";")))

    def remove(self, item: Item) -> None:
        """Take a piece or a stack out of the game; pieces in a removed stack are on no map."""
        self.to_front(item)
        self._lift(item)
        if item.stack is not None:
            self._take_out(item.stack, item)
            item.stack = None
        item.at = Position(None, item.at.x, item.at.y)
        self.items.pop(item.id, None)

    def added_items(self) -> Iterator[AddCommand]:
        """Yield all pieces, then all stacks, as a starting state would add them."""
        stacks = [item for item in self.items.values() if item.is_stack]
        lying = {piece for stack in stacks for piece in stack.inside}
        for item in self.items.values():
            if not item.is_stack:
                yield AddCommand(item.id, item.type, _written_state(item, item in lying))
        for stack in stacks:
            yield AddCommand(stack.id, stack.type, stack.written_state())

    # Changes --------------------------------------------------------------------------------------

    def arrange(self, stack: Item, state: str) -> None:
        """Give a stack a state: its place, and what lies in it. Raises DataError."""
        fields = decode(state, ";", MAX_PIECES)
        at = parse_position(fields)
        self.work.spend(_PIECE_COST * len(fields))
        stack.inside.clear()
        for name in fields[3:]:
            piece = self.items.get(name)
            if piece is not None and not piece.is_stack:
                self._put_into(stack, piece, len(stack.inside))
        self._lay(stack, at)

    def merge_stack(self, stack: Item, new: str, old: str) -> None:
        """Apply to a stack what differs between two states, keeping what has come into it since. Raises DataError."""
        current = stack.written_state()
        if old == current:
            self.arrange(stack, new)
            return
        fields = decode(new, ";", MAX_PIECES)
        order, known = fields[3:], {*fields[3:], *decode(old, ";", MAX_PIECES)[3:]}
        self.work.spend(len(stack.inside) ** 2)
        for number, piece in enumerate(stack.inside):
            if piece.id not in known:
                below = stack.inside[number - 1].id if number else ""
                order.insert(order.index(below) + 1 if below in order else 0, piece.id)
        self.arrange(stack, encode((*fields[:3], *order), ";"))

    def set_place(self, piece: Item, at: Position) -> None:
        """Put a piece where its changed state says; one in a stack on the same map stays in it."""
        if piece.stack is None:
            self._lay(piece, at)
        elif at.map is not None and at.map != piece.place.map:
            self._take_out(piece.stack, piece)
            piece.stack = None
            self._lay(piece, at)

    def move(self, item: Item, to: Position, under: str | None, player: str) -> None:
        """Move a piece or a stack onto what lies there; `under` is the piece right beneath, if there's one."""
        beneath = None if under is None else self.items.get(under)
        if beneath is not None and (beneath.place.x, beneath.place.y) == (to.x, to.y):
            self._merge(beneath, item, player)
        elif not any(self._try_merge(other, item, player) for other in self._items_at(to)):
            self._place(item, to)
        if under is None and item.stack is not None:
            self._insert(item.stack, item, 0)
        self.to_front(item)

    def to_front(self, item: Item) -> None:
        """Make a piece with its stack the last on the map, as VASSAL does with what was moved last."""
        lying = item if item.stack is None else item.stack
        if lying.at.map is not None:
            lying.order = next(self._numbers)

    # Stacks as in VASSAL --------------------------------------------------------------------------

    def _try_merge(self, other: Item, item: Item, player: str) -> bool:
        """Merge a piece with another on the map if VASSAL does so when it is dropped there."""
        top = other.top(player) if other.is_stack else other
        mine = item.top(player) if item.is_stack else item
        if top is None or mine is None or top.loose or mine.loose:
            return False
        if top.hidden_from(player) or mine.hidden_from(player):
            return False
        self._merge(other, item, player)
        return True

    def _merge(self, fixed: Item, moving: Item, player: str) -> None:
        """Put a piece, or all of a stack, right above another piece or on top of a stack."""
        if fixed.is_stack:
            fixed = fixed.top(player) or fixed
        stack = fixed.stack
        if moving is fixed or moving is stack:
            return
        if stack is None and fixed.is_stack:
            stack, place = fixed, len(fixed.inside)
        elif stack is None:
            stack, place = self._stack_of(fixed), 1
        else:
            place = stack.inside.index(fixed) + 1 if fixed in stack.inside else 0
        if moving.is_stack:
            for number, piece in enumerate(list(moving.inside)):
                self._put_into(stack, piece, place + number)
        else:
            self._insert(stack, moving, place - (moving.stack is stack))

    def _stack_of(self, piece: Item) -> Item:
        """Return a new stack of one piece, where the piece is."""
        name = next(name for name in map(str, count(1)) if name not in self.items)
        stack = Item(name, "stack", "", self.work)
        self.items[name] = stack
        at = piece.place
        self._put_into(stack, piece, 0)
        self._lay(stack, at)
        return stack

    def _insert(self, stack: Item, piece: Item, place: int) -> None:
        """Put a piece at a place of a stack; one that is in it already is moved to there."""
        place = max(0, min(place, len(stack.inside)))
        if piece in stack.inside:
            self._take_out(stack, piece)
            stack.inside.insert(place, piece)
        else:
            self._put_into(stack, piece, place)

    def _put_into(self, stack: Item, piece: Item, place: int) -> None:
        if piece.stack is not None:
            self._take_out(piece.stack, piece)
        else:
            self._lift(piece)
        piece.stack = stack
        stack.inside.insert(place, piece)

    def _take_out(self, stack: Item, piece: Item) -> None:
        self.work.spend(_PIECE_COST * len(stack.inside))
        if piece in stack.inside:
            stack.inside.remove(piece)

    def _place(self, item: Item, at: Position) -> None:
        """Put something on a map on its own."""
        if item.stack is not None:
            self._take_out(item.stack, item)
            item.stack = None
        self._lay(item, at)

    def _items_at(self, at: Position) -> list[Item]:
        """Return the pieces and stacks at a point of a map; the one moved last is the last."""
        return sorted(self._lying_at.get(at, ()), key=lambda item: item.order)

    def _lay(self, item: Item, at: Position) -> None:
        """Give something that is in no stack its place."""
        if not item.order or item.at.map != at.map:
            item.order = next(self._numbers)
        self._lift(item, keep=True)
        item.at, item.moved = at, True
        if at.map is not None:
            self._lying_at.setdefault(at, {})[item] = None

    def _lift(self, item: Item, *, keep: bool = False) -> None:
        """Take something off its map; unless kept, it comes on anew the next time."""
        self._lying_at.get(item.at, {}).pop(item, None)
        if not keep:
            item.order = 0


def _written_state(item: Item, lying: bool) -> str:
    """Return a piece's state as it is now; one in a stack may have an old place in it: the stack's counts."""
    if not lying and (item.moved or item.stack is not None):
        at = item.place
        fields = decode(item.states[-1], ";")
        item.states[-1] = encode((at.map or "null", str(at.x), str(at.y), *fields[3:]), ";")
    return fold(item.states, TAB) if "states" in vars(item) else item.state
