"""Rolls in the log: the campaign's own dice, the number of each roll, what is recorded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laager.base import Refusal, RefusedError
from laager.campaign.log import Entry
from laager.campaign.steps import Roll
from laager.dice import Dice, Modifier, Rolled, SeededDice

OPEN_STREAM = "open"


def sealed_dice(entries: Sequence[Entry]) -> SeededDice:
    """Return a campaign's own dice, from the seed it was committed to. Raises RefusedError (broken-log)."""
    seeds = [entry for entry in entries[:2] if entry.type == "seed"]
    if not seeds:
        raise RefusedError(Refusal.BROKEN_LOG, "the campaign has no dice seed", "dice must be entered")
    try:
        return SeededDice(bytes.fromhex(seeds[0].body["seed"]))
    except ValueError:
        raise RefusedError(
            Refusal.BROKEN_LOG, "the dice seed in entry 2 can't be read", "dice must be entered"
        ) from None


def next_roll(roll: Roll, rolled: Mapping[str, int]) -> tuple[str, int]:
    """Return the stream of a roll and its number there; `rolled` has how many each stream has given."""
    # Secret rolls have a stream of their own per side: the numbers of the open ones must not
    # tell how often somebody rolled in secret.
    stream = roll.side if roll.secret else OPEN_STREAM
    return stream, rolled.get(stream, 0) + 1


def roll_body(roll: Roll, faces: Sequence[int], source: str, stream: str, number: int) -> dict[str, Any]:
    """Return what the log stores of a roll."""
    rolled = Rolled(roll.dice, tuple(faces), roll.all_modifiers)
    return {
        "side": roll.side,
        "label": roll.label,
        "dice": roll.dice.value,
        "faces": list(rolled.faces),
        "modifiers": [{"value": m.value, "reason": m.reason, "rule": m.rule} for m in rolled.modifiers],
        "final": rolled.final,
        "rule": roll.rule,
        "source": source,
        "stream": stream,
        "number": number,
        **({"about": roll.about} if roll.about else {}),
    }


def roll_again(roll: Roll, old: Entry) -> dict[str, Any]:
    """Return what the log stores of a roll that comes again: the old dice, with the modifiers of now."""
    body = old.body
    return roll_body(roll, body["faces"], body["source"], body["stream"], body["number"])


def rolled_of(entry: Entry) -> Rolled:
    """Return the roll recorded in an entry."""
    body = entry.body
    modifiers = tuple(Modifier(m["value"], m["reason"], m["rule"]) for m in body["modifiers"])
    return Rolled(Dice(body["dice"]), tuple(body["faces"]), modifiers)


def same_roll(command: Roll, entry: Entry) -> bool:
    """True if a recorded roll is the one asked for: who rolls what. Its label may be reworded later."""
    return (command.side, command.dice) == (entry.body["side"], Dice(entry.body["dice"]))
