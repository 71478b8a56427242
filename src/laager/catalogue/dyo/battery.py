"""A cell of an OBA Availability Chart: the battery that a DR offers (H1.51)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from laager.base import WrongValueError
from laager.catalogue.dyo.values import UNKNOWN, Unknown, read_value

_CELL = re.compile(r"^(\d{2,3})(\+?) ?([MR]?)(?: +(\d{1,3}|\?|unknown))?$")

SORTS = {"": "normal", "M": "medium mortar", "R": "rocket"}
"""What the letter behind the size says."""


@dataclass(frozen=True, slots=True)
class Battery:
    """A battery: its size as printed (`80+`), `M` for medium mortars, `R` for rockets, its BPV."""

    size: str
    letter: str = ""
    bpv: int | Unknown = UNKNOWN

    @property
    def text(self) -> str:
        """Size and letter as the roster has them: `80+M`."""
        return f"{self.size}{self.letter}"

    @property
    def words(self) -> str:
        """What it is, in words: `80+mm medium mortar OBA`."""
        sort = "" if not self.letter else f" {SORTS[self.letter]}"
        return f"{self.size}mm{sort} OBA"

    def with_bpv_of(self, other: object) -> Battery | None:
        """Return it with its BPV from another if that is the same battery; else None."""
        if not isinstance(other, Battery) or other.text != self.text:
            return None
        known = [battery_ for battery_ in (self, other) if battery_.bpv is not UNKNOWN]
        return known[0] if known else self

    def __str__(self) -> str:
        return f"{self.text} {'?' if self.bpv is UNKNOWN else self.bpv}"


def read_battery(raw: Any) -> Battery:
    """Read a cell: size, letter, BPV, as `70+ 63` or `80+M 92`; `?` for a BPV not known."""
    if isinstance(raw, Battery):
        return raw
    match = _CELL.match(str(raw).strip())
    if not match:
        right = "write size and BPV, as 70+ 63 or 80+M 92 (M mortars, R rockets, ? for no known BPV), none or unknown"
        raise WrongValueError(f"{raw!r} is not a battery", right)
    size, plus, letter, bpv = match.groups()
    if bpv in (None, "?", "unknown"):
        return Battery(size + plus, letter)
    if int(bpv) == 0:
        raise WrongValueError(f"{raw!r} costs nothing", "write a BPV above 0, or ?")
    return Battery(size + plus, letter, int(bpv))


def _plain(value: Battery | Unknown | None) -> str:
    if value is None:
        return "none"
    return "unknown" if value is UNKNOWN else str(value)


Cell = Annotated[
    Battery | Unknown | None,
    PlainValidator(lambda raw: read_value(raw, read_battery)),
    PlainSerializer(_plain),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": _CELL.pattern}, {"type": "null"},
                              {"enum": ["none", "unknown"]}]}),
]  # fmt: skip
"""A battery; None if the DR brings none; UNKNOWN if nobody entered it."""
