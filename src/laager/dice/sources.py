"""Where faces come from: a committed seed, the players' own dice, or a script.

Rolled dice can be checked by anyone: before the first roll the hash of the seed is published (the
commitment), afterwards the seed itself, and every roll follows from the seed by a fixed rule:

    block   = HMAC-SHA-256(key = seed, message = "STREAM:NUMBER:DICE:COUNTER" in UTF-8)
    faces   = of each byte of the block in order: below 252 gives 1 + byte mod 6, else it is skipped
    COUNTER = 0, then 1, 2 ... for the blocks that a roll may further need
    DICE    = "DR" (first face: the coloured die) or "dr"

252 is the largest multiple of 6 that a byte reaches, so that all faces are equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Protocol

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.dice.values import SIDES, Dice, Faces, check_faces

SEED_BYTES = 32
LIMIT = 256 - 256 % SIDES
COMMITMENT_PREFIX = b"laager-dice-1:"


class DiceSource(Protocol):
    """Gives the faces of roll `number` of a stream, a named series of rolls."""

    def faces(self, dice: Dice, stream: str, number: int) -> Faces | None:
        """Return the faces, or None if the players must enter them."""


@dataclass(frozen=True, slots=True, repr=False)
class SeededDice:
    """Dice that follow from a secret seed, to which `commitment` binds whoever holds it.

    The same seed, stream, number and dice give the same faces always. Whoever knows the seed knows
    every roll to come, so it is not shown. Raises DataError for an empty seed.
    """

    seed: bytes

    def __post_init__(self) -> None:
        if not self.seed:
            raise DataError([Problem("the dice have an empty seed", "32 secret random bytes")])

    @staticmethod
    def fresh() -> SeededDice:
        """Return dice with a new seed of 32 bytes from the system's secure random source."""
        return SeededDice(secrets.token_bytes(SEED_BYTES))

    @property
    def commitment(self) -> str:
        """The hash to publish before the first roll: 64 hexadecimal digits."""
        return hashlib.sha256(COMMITMENT_PREFIX + self.seed).hexdigest()

    @staticmethod
    def verify(seed: bytes, commitment: str) -> bool:
        """Return True if a revealed seed is the one that was committed to."""
        expected = hashlib.sha256(COMMITMENT_PREFIX + seed).hexdigest()
        return hmac.compare_digest(expected.encode(), commitment.lower().encode())

    def faces(self, dice: Dice, stream: str, number: int) -> Faces:
        """Return the faces of this roll, by the rule at the top of this module."""
        return tuple(islice(fair_faces(self._blocks(dice, stream, number)), dice.count))

    def _blocks(self, dice: Dice, stream: str, number: int) -> Iterator[bytes]:
        for counter in count():
            message = f"{stream}:{number}:{dice.value}:{counter}"
            yield hmac.digest(self.seed, message.encode(), "sha256")

    def __repr__(self) -> str:
        return f"SeededDice(commitment={self.commitment!r})"


def fair_faces(blocks: Iterable[bytes]) -> Iterator[int]:
    """Turn random bytes into faces, all equally likely: bytes of 252 and more are skipped."""
    return (1 + byte % SIDES for block in blocks for byte in block if byte < LIMIT)


@dataclass(frozen=True, slots=True)
class EnteredDice:
    """The players roll their own dice and type what they show."""

    def faces(self, dice: Dice, stream: str, number: int) -> None:
        """Return None: these faces are entered."""


@dataclass(slots=True)
class ScriptedDice:
    """Faces written down beforehand, given in their order whatever is asked: for tests and demos.

    The only source that changes as it is used. Raises DataError if the script holds faces that no
    dice show.
    """

    script: Sequence[Faces]
    given: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        problems = []
        for position, faces in enumerate(self.script):
            try:
                check_faces(Dice.dr if len(faces) == 1 else Dice.DR, faces)
            except DataError as err:
                problems += [problem.inside(f"[{position + 1}]") for problem in err.problems]
        if problems:
            raise DataError(problems, heading="the scripted dice are not valid")
        self.script = tuple(tuple(faces) for faces in self.script)

    @property
    def left(self) -> int:
        """The number of rolls that have not been given yet."""
        return len(self.script) - self.given

    def faces(self, dice: Dice, stream: str, number: int) -> Faces:
        """Return the next faces. Raises RefusedError if none are left or they do not fit."""
        wanted = f"roll {number} of “{stream}” wants a {dice.value}"
        if not self.left:
            raise RefusedError(
                Refusal.BAD_ANSWER, f"{wanted}, but the script ended after {len(self.script)} rolls", "add one to it"
            )
        faces = self.script[self.given]
        if len(faces) != dice.count:
            shown = " ".join(str(face) for face in faces)
            raise RefusedError(
                Refusal.BAD_ANSWER,
                f"{wanted}, but the script's entry {self.given + 1} is {shown}",
                f"it should hold {dice.count} of 1 to 6",
            )
        self.given += 1
        return faces
