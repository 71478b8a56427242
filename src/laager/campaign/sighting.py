"""What questions ask about line of sight (LOS), and what is found out about it.

Rules know nothing of boards. A question names who would look where (`SightAsked`); the layers above work it out on
the board or the map and show it next to the question (`SightFound`). It proposes: the player decides. What was
proposed, and whether the answer follows it, is recorded with the answer, so that a log verifies without the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SightAsked:
    """One thing that a question wants to know: if one of the `sources` sees one of the `targets`.

    `key` names it among those of its question, `title` is for people. Locations are as on the map: `H7`, `H7.1`,
    `H7.c`; `H7.roof` is the rooftop, `H7.bridge` the bridge or ramp a level above the hex. Only lines of at most
    `within` hexes count (None: all). `says` is what the answer takes for granted: seen, not seen, or nothing (None).
    `counting` says who looks, or from where.
    """

    key: str
    title: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    rule: str = ""
    within: int | None = None
    says: bool | None = None
    counting: str = ""


@dataclass(frozen=True)
class SightFound:
    """What was found: seen or not (None: no answer), the proof in a sentence, and by what it was worked out.

    `engine` names the engine and its version, `boards` the boards that it read, each with the SHA-256 of its file.
    `approximate`: from the hexes of the map, not from terrain data.
    """

    asked: SightAsked
    seen: bool | None
    proof: str
    approximate: bool = False
    engine: str = ""
    boards: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What it is about, for people."""
        return self.asked.title

    @property
    def followed(self) -> bool:
        """True unless the answer says the opposite of what was found."""
        return None in (self.seen, self.asked.says) or self.seen == self.asked.says

    def record(self) -> dict[str, Any]:
        """Return it as it stands in the log, with the answer."""
        return {
            "key": self.asked.key,
            "title": self.asked.title,
            "seen": self.seen,
            "followed": self.followed,
            "proof": self.proof,
            "approximate": self.approximate,
            "engine": self.engine,
            "boards": dict(self.boards),
        }


Asked = Callable[[Any, Any], Sequence[SightAsked]]
Settled = Callable[[Any, Mapping[str, bool]], Any]


@dataclass(frozen=True)
class Sights:
    """How a question asks about LOS.

    `asked` takes a well-formed answer and the state as its side sees it (`View.state`). It must take the enemy from
    that state alone: what the side doesn't know must not show in what is proposed to it. `settled` takes an answer and
    what was found by key, and returns the answer that follows it; None if there is nothing to settle.
    """

    asked: Asked
    settled: Settled | None = None


def los_records(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what an answer's entry says about LOS; nothing if it says nothing, or nothing that can be read."""
    records = body.get("los")
    return [record for record in records if isinstance(record, Mapping)] if isinstance(records, list) else []


def los_in_words(body: Mapping[str, Any]) -> str:
    """Return in a sentence how an answer stands to what was found about LOS; "" if nothing was."""
    records = los_records(body)
    against = [str(record.get("proof", "")) for record in records if record.get("followed") is False]
    if against:
        return " ".join(("Against the LOS that was found:", *against))
    if all(record.get("seen") is None for record in records):
        return ""
    return (
        "As the approximate LOS has it."
        if any(record.get("approximate") for record in records)
        else "As the LOS has it."
    )
