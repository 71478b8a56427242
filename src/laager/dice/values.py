"""DR and dr, their faces and modifiers, and a roll with its result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from laager.base import DataError, Problem

SIDES = 6

Faces = tuple[int, ...]
"""What the dice show, each 1 to 6. DR: the coloured die, then the white one. dr: the one die."""


class Dice(StrEnum):
    """How many dice are rolled: two (DR) or one (dr). The case of the letters tells them apart."""

    DR = "DR"
    dr = "dr"

    @property
    def count(self) -> int:  # type: ignore[override]  # hides str.count, which no roll needs
        """The number of dice: 2 or 1."""
        return 2 if self is Dice.DR else 1

    @property
    def ways(self) -> int:
        """The number of equally likely falls of the dice: 36 or 6."""
        return 36 if self is Dice.DR else 6


@dataclass(frozen=True, slots=True)
class Modifier:
    """A DRM or drm: what is added to the roll, why, and by which rule."""

    value: int
    reason: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.value:+d} {self.reason}" + (f" ({self.rule})" if self.rule else "")


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll with its result: the faces and every modifier.

    Raises DataError if the faces are not those of the dice.
    """

    dice: Dice
    faces: Faces
    modifiers: tuple[Modifier, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", check_faces(self.dice, self.faces))
        object.__setattr__(self, "modifiers", tuple(self.modifiers))

    @property
    def original(self) -> int:
        """The Original DR or dr: the sum of the faces."""
        return sum(self.faces)

    @property
    def drm(self) -> int:
        """The sum of all modifiers."""
        return sum(modifier.value for modifier in self.modifiers)

    @property
    def final(self) -> int:
        """The Final DR or dr: faces and modifiers together."""
        return self.original + self.drm

    @property
    def coloured(self) -> int:
        """The face of the coloured die of a DR; of a dr, its only face."""
        return self.faces[0]

    def __str__(self) -> str:
        text = "+".join(str(face) for face in self.faces)
        if len(self.faces) > 1:
            text += f"={self.original}"
        if not self.modifiers:
            return text
        return ", ".join([text, *(str(modifier) for modifier in self.modifiers)]) + (f" = {self.final}")


def check_faces(dice: Dice, faces: Sequence[object]) -> Faces:
    """Return the faces if such dice can show them, else raise DataError with every problem."""
    problems = []
    shown: list[int] = []
    if len(faces) != dice.count:
        count = f"{len(faces)} face" + "s" * (len(faces) != 1)
        problems.append(Problem(f"{count} for a {dice.value}", _expected_faces(dice)))
    for position, face in enumerate(faces):
        if isinstance(face, int) and not isinstance(face, bool) and 1 <= face <= SIDES:
            shown.append(face)
        else:
            message = f"no die shows {face!r}"
            problems.append(Problem(message, "a face is 1 to 6", f"[{position + 1}]"))
    if problems:
        raise DataError(problems)
    return tuple(shown)


# The numbers are kept short so that no text, however long, becomes a number of many digits.
_NUMBERS = re.compile(r"(?:0|[1-9][0-9]{0,3})(?:(?:\s*[,+]\s*|\s+)(?:0|[1-9][0-9]{0,3})){0,9}")


def parse_faces(dice: Dice, text: str) -> Faces:
    """Read faces as players type them: `3 4`, `3,4`, `3+4` or `34`; for a dr `3`.

    Digits side by side are faces, never a total: `11` is two ones. Raises DataError.
    """
    stripped = text.strip()
    if not _NUMBERS.fullmatch(stripped):
        shown = stripped if len(stripped) <= 20 else stripped[:20] + "…"
        message = f"“{shown}” is not a roll" if stripped else "nothing was entered"
        raise DataError([Problem(message, _expected_faces(dice))])
    numbers = re.findall("[0-9]+", stripped)
    if len(numbers) == 1 and len(stripped) == dice.count:
        numbers = list(stripped)
    return check_faces(dice, [int(number) for number in numbers])


def _expected_faces(dice: Dice) -> str:
    if dice is Dice.DR:
        return "a DR has two faces of 1 to 6, the coloured die first, such as 3 4"
    return "a dr has one face of 1 to 6, such as 3"
