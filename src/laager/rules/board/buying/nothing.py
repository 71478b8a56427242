"""What it means to buy nothing where points are kept."""

from __future__ import annotations


def nothing_bought(bought: object, held: int, points: str) -> str:
    """Say that an answer buys nothing though there are points; "" if it buys, or nothing is there.

    The points are kept, but the chance to spend them now is gone.
    """
    if bought or not held:
        return ""
    return f"You buy nothing now. Your {held} {points} are kept."
