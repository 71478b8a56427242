"""Logs: what follows the starting state, carried out as VASSAL does when all its steps are played.

A step is a command of a player with its parts. Commands that say nothing about pieces, boards or dice are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from laager.vasl.saves.sequence import LOG, Commands, WorkLimit, added_of, check_number, decode, kind_of_command, unfold
from laager.vasl.saves.table import Item, Table
from laager.vasl.saves.traits import MAX_TRAITS, TAB, parse_position, parse_whole

PRIVATE = 10
"""First field of the scenario information with users and their private notes."""
_SELDOM = ("bd", "INFO", "NOTES", "PNOTES", "UNMASK", "EXT")
_CHAT = "CHAT"
_OWNED = ("hide", "conceal", "concealment")


@dataclass(frozen=True, repr=False)
class ReplayedGame:
    """A game after its log: its commands as if it had been saved after the last step.

    `chat` are the lines that players wrote and rolls that VASL announced, each with the number of its step; `users` are
    user ids that are in the steps alone; `misfits` counts changes of pieces that don't fit them, which are left out.
    """

    commands: Commands
    steps: int = 0
    chat: tuple[tuple[int, str], ...] = ()
    users: frozenset[str] = frozenset()
    misfits: int = 0

    def __repr__(self) -> str:
        return f"<Replayed: {self.steps} steps, {self.commands!r}>"


def replay_log(commands: Commands, begins: Sequence[bool], work: WorkLimit) -> ReplayedGame:
    """Return a game after all that follows its starting state; `begins` says which of that begins a step.

    What isn't logged is carried out before the first step, as VASSAL does while it loads a log. Raises DataError.
    """
    if not commands.after:
        return ReplayedGame(commands)
    replay = _Replay(commands, work)
    behind = list(zip(commands.after, begins, strict=True))
    for command, _ in behind:
        if not command.startswith(LOG):
            replay.take(command)
    for command, begin in behind:
        if command.startswith(LOG):
            replay.steps += begin
            replay.take(command.removeprefix(LOG))
    return replay.outcome()


@dataclass
class _Replay:
    commands: Commands
    work: WorkLimit
    steps: int = 0
    chat: list[tuple[int, str]] = field(default_factory=list)
    users: set[str] = field(default_factory=set)
    texts: dict[str, list[str]] = field(default_factory=dict)
    artillery: list[str] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    misfits: int = 0

    def __post_init__(self) -> None:
        self.table = Table(self.work)
        self.table.begin(self.commands.pieces, self.commands.stacks)

    def take(self, command: str) -> None:
        """Carry out a command. Raises DataError if it adds something that no game of VASSAL has."""
        self.work.spend(len(command))
        word, tab, rest = command.partition("\t")
        if command.startswith("+/"):
            self._add(command)
        elif command.startswith("-/"):
            self._remove(command[2:])
        elif command.startswith("D/"):
            self._change(decode(command[2:], "/"))
        elif command.startswith("M/"):
            self._move(decode(command[2:], "/"))
        elif command.startswith(_CHAT):
            self.chat.append((self.steps, command.removeprefix(_CHAT)))
        elif command.startswith("OBA/"):
            self.artillery.append(command)
        elif tab and word in _SELDOM:
            self.texts.setdefault(word, []).append(rest)
        elif command:
            self.others[kind_of_command(command)] += 1

    def outcome(self) -> ReplayedGame:
        """Return the game as it is now."""
        remaining = list(self.table.added_items())
        start, texts = self.commands, self.texts
        commands = replace(
            start,
            pieces=tuple(added for added in remaining if added.type != "stack"),
            stacks=tuple(added for added in remaining if added.type == "stack"),
            boards=_last(texts, "bd") or start.boards,
            info=_last(texts, "INFO") or start.info,
            notes=_last(texts, "NOTES") or start.notes,
            unmasking=(*start.unmasking, *texts.get("UNMASK", ())),
            artillery=(*start.artillery, *self.artillery),
            extensions=tuple(dict.fromkeys((*start.extensions, *texts.get("EXT", ())))),
            others=dict(sorted((Counter(start.others) + self.others).items())),
        )
        for text in (start.info, *texts.get("INFO", ())):
            self.users.update(decode(text, "\t")[PRIVATE::2])
        for text in texts.get("PNOTES", ()):
            self.users.update(decode(text, "\t")[::2])
        return ReplayedGame(commands, self.steps, tuple(self.chat), frozenset(self.users), self.misfits)

    # Pieces -----------------------------------------------------------------------------------------

    def _add(self, command: str) -> None:
        added = added_of(command)
        old = self.table.items.get(added.id)
        if old is not None:
            self._note_owners(old)
            self.table.remove(old)
        self.table.add(added)
        check_number(len(self.table.items))

    def _remove(self, name: str) -> None:
        item = self.table.items.get(name)
        if item is not None:
            self._note_owners(item)
            self.table.remove(item)

    def _change(self, parts: list[str]) -> None:
        item = self.table.items.get(parts[0])
        if item is None:
            return
        if len(parts) not in (2, 3):
            self.misfits += 1
        elif item.is_stack and len(parts) == 2:
            self.table.arrange(item, parts[1])
        elif item.is_stack:
            self.table.merge_stack(item, parts[1], parts[2])
        else:
            self._change_piece(item, parts[1], parts[2] if len(parts) == 3 else None)

    def _change_piece(self, item: Item, new: str, old: str | None) -> None:
        """Give a piece's traits the states that differ from their old ones, if it's told what they were."""
        fresh = unfold(new, TAB, self.work, MAX_TRAITS)
        former = None if old is None else unfold(old, TAB, self.work, MAX_TRAITS)
        if not item.fits or len(fresh) != len(item.states) or (former is not None and len(former) != len(fresh)):
            self.misfits += 1
            return
        self._note_owners(item)
        changed = [former is None or former[number] != state for number, state in enumerate(fresh)]
        for number, state in enumerate(fresh):
            if changed[number]:
                item.states[number] = state
        self._note_owners(item)
        if changed[-1]:
            self.table.set_place(item, parse_position(decode(fresh[-1], ";")))

    def _move(self, parts: list[str]) -> None:
        """Move a piece: its id, the new map, x, y, what lies beneath, the same of old, the player."""
        if len(parts) < 9:
            self.misfits += 1
            return
        name, on, across, down, under, *_ = parts
        player = parts[9] if len(parts) > 9 else ""
        self.users.add(player)
        x, y = parse_whole(across), parse_whole(down)
        item = self.table.items.get(name)
        if x is None or y is None:
            self.misfits += 1
        elif item is not None and on not in ("", "null"):
            to = parse_position([on, across, down])
            self.table.move(item, to, None if under in ("", "null") else under, player)

    def _note_owners(self, item: Item) -> None:
        """Note who hides or conceals a piece, before that changes."""
        if item.is_stack or not item.fits:
            return
        for kind, state in zip(item.types, item.states, strict=True):
            word = kind.partition(";")[0]
            if word in _OWNED:
                self.users.add(decode(kind, ";")[1] if word == "concealment" else decode(state, ";")[0])


def _last(texts: Mapping[str, Sequence[str]], word: str) -> str:
    return next((text for text in reversed(texts.get(word, ())) if text), "")
