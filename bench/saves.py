"""VASL saves to measure: the largest of the examples, if it is there, and one of our own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.vasl.save_writer import Counter, board, concealed, game, label, layer, save_bytes, stack

from laager.vasl import GAME, Archive, save_of, unveil

EXAMPLE = Path(__file__).parents[2] / "shared" / "data" / "saves" / "Hill 621 (Scenario E).vsav"


def example() -> bytes | None:
    """The largest example save: 165 pieces, half a million characters; None where missing."""
    return EXAMPLE.read_bytes() if EXAMPLE.exists() else None


@cache
def own() -> bytes:
    """A save of 1,000 pieces of 32 traits in 250 stacks on six boards."""
    commands = []
    for pile in range(250):
        at = (456 + 56 * (pile % 90), 464 + 32 * (pile % 40))
        counters = [
            Counter(
                f"{pile}{number}",
                "4-6-8 Esq",
                [
                    concealed("user" if number % 2 else None),
                    *[("report;71,130;Prep Fire created in $location$ *;;;", "-1")] * 28,
                    layer("4-6-8 Esq", "2-4-8 Ehs", at=number % 2 + 1),
                    layer("broken +", at=-1),
                    label(""),
                ],
                at=at,
            )
            for number in range(4)
        ]
        commands += [*(one.command() for one in counters), stack(f"s{pile}", counters)]
    boards = "".join(board(column, row, "01") for row in range(2) for column in range(3))
    return save_bytes(game(*commands, boards=boards))


def ours(data: bytes) -> int:
    """Read a save; return its pieces."""
    return len(save_of(Archive(data, "own.vsav")).pieces)


def unveiled(data: bytes) -> int:
    """Only unpack and unveil: what no reader can do without."""
    return len(unveil(Archive(data, "own.vsav").read(GAME))[0])
