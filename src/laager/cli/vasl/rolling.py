"""The dice in a log of VASL, in tables or as JSON: `laager vasl dice`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.cli.out import say, show_json, show_sheets

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.vasl import LoggedRoll, Save

_COUNTED = ("DR", "dr")


def show_rolls(save: Save, who: str | None, as_json: bool) -> None:
    """Print the rolls of a log, or those of one player. Raises RefusedError if that player rolled nothing."""
    names = sorted({roll.who for roll in save.rolls})
    if who is not None and who not in names:
        raise RefusedError(Refusal.NO_SUCH, f"nobody called {who!r} rolled in {save.file}", did_you_mean(who, names))
    rolls = {number: roll for number, roll in enumerate(save.rolls, 1) if who in (None, roll.who)}
    if as_json:
        show_json({"file": save.file, "steps": save.steps, "rolls": [roll.describe() for roll in rolls.values()]})
    elif rolls:
        show_sheets(_sheets(rolls))
    else:
        say(f"{save.file} has no rolls; VASL's logs (.vlog) have them, saves don't")


def _sheets(rolls: Mapping[int, LoggedRoll]) -> Iterator[Sheet]:
    from laager.campaign import Column, Sheet

    rows = [
        (str(number), str(roll.step), roll.who, roll.what, roll.kind, ",".join(map(str, roll.faces)), roll.event)
        for number, roll in rolls.items()
    ]
    titles = ("no.", "step", "who", "what for", "roll", "faces", "sets off")
    yield Sheet("rolls", "Rolls", tuple(map(Column, titles)), tuple(rows))
    sums: dict[tuple[str, str], list[int]] = {}
    for roll in rolls.values():
        if roll.kind in _COUNTED:
            # Of a DR with a third die, that for dust, the first two count.
            sums.setdefault((roll.who, roll.kind), []).append(sum(roll.faces[:2]))
    means = [(who, kind, str(len(totals)), f"{sum(totals) / len(totals):.2f}") for (who, kind), totals in sums.items()]
    yield Sheet("averages", "Averages", tuple(map(Column, ("who", "roll", "rolls", "average"))), tuple(means))
