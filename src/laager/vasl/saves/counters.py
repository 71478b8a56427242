"""The kind, nation, status and name of a piece. Names decide; the number of a palette slot is a hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from laager.vasl.archive import packed_table
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import WorkLimit, decode
from laager.vasl.saves.traits import Inscription, Layer, Traits


class CounterKind(StrEnum):
    """The kind of a piece."""

    MMC = "mmc"
    SMC = "smc"
    SW = "sw"
    GUN = "gun"
    VEHICLE = "vehicle"
    WRECK = "wreck"
    AIR = "air"
    STATUS = "status"
    CONCEALMENT = "concealment"
    CLOAK = "cloak"
    SNIPER = "sniper"
    CONTROL = "control"
    FORTIFICATION = "fortification"
    LOCATION = "location"
    FIRE = "fire"
    SMOKE = "smoke"
    RUBBLE = "rubble"
    TERRAIN = "terrain"
    ACQUISITION = "acquisition"
    MARKER = "marker"
    TRACK = "track"
    OVERLAY = "overlay"
    OTHER = "other"
    UNKNOWN = "unknown"


UNITS = frozenset(
    {CounterKind.MMC, CounterKind.SMC, CounterKind.SW, CounterKind.GUN, CounterKind.VEHICLE, CounterKind.AIR}
)
"""Kinds that a status counter can lie on."""

NATIONS: Mapping[str, str] = {
    "ge": "German",
    "ss": "Waffen SS",
    "ru": "Russian",
    "am": "American",
    "br": "British",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "fi": "Finnish",
    "ax": "Axis Minor",
    "al": "Allied Minor",
    "hu": "Hungarian",
    "ch": "Chinese",
    "cc": "Communist Chinese",
    "nk": "North Korean",
    "sk": "South Korean",
    "un": "other UN",
    "us": "American in Korea",
    "sh": "shared",
}

SHARED = "sh"
"""The folder of pictures that several nations share; it identifies none."""

_BEGINNINGS = (
    (("broken ", "brk "), "broken"),
    (("malf ", "Malf "), "malfunctioned"),
    (("Fanatic ",), "fanatic"),
    (("Berserk ",), "berserk"),
    (("Heroic ",), "heroic"),
    (("Wnd ",), "wounded"),
    (("dm ", "Dismantled "), "dismantled"),
    (("Lmbd ",), "limbered"),
    (("Prisoner ", "POW "), "prisoner"),
    (("Unarmed ",), "unarmed"),
)
_HATCHES = {"BU": "buttoned up", "CE": "crew exposed"}
_HATCH = re.compile(r" (BU|CE)(?: \w*ca[1-6](?:/[1-6])?)*$")
_FOLDERS: Mapping[str, CounterKind] = {
    "veh": CounterKind.VEHICLE,
    "vehicles": CounterKind.VEHICLE,
    "gun": CounterKind.GUN,
    "guns": CounterKind.GUN,
}
_PATTERNS = (
    (re.compile(r"(.* )?Wreck( VBM|[0-9]*)"), CounterKind.WRECK),
    (re.compile(r"[0-9]+-[0-9]+-[0-9]+ \w*(sq|hs|cr)\b.*"), CounterKind.MMC),
    (re.compile(r"(10|[6-9])[-+][0-9]"), CounterKind.SMC),
    (re.compile(r"\w+ [Cc]ontrol"), CounterKind.CONTROL),
)
"""Names of pieces that are in no list, by kind."""
_FILE = re.compile(r"([a-z]{2})[A-Z]")


@dataclass(frozen=True)
class CounterEntry:
    """The kind and nation of a name in the table of counters."""

    kind: CounterKind
    nation: str | None


@cache
def _load_table() -> tuple[Mapping[str, CounterEntry], Mapping[tuple[str, str], CounterEntry]]:
    """Return the counters by name, and by name and slot where a name stands for several."""
    names: dict[str, CounterEntry] = {}
    slots: dict[tuple[str, str], CounterEntry] = {}
    for line in packed_table("counters.csv"):
        row = CounterEntry(CounterKind(line["kind"]), line["nation"] or None)
        if line["slots"]:
            slots.update({(line["name"], slot): row for slot in line["slots"].split()})
        else:
            names[line["name"]] = row
    return names, slots


@cache
def status_by_marker() -> Mapping[str, str]:
    """Return the status for which each status counter stands, by its name."""
    return {line["name"]: line["status"] for line in packed_table("markers.csv")}


def kind_of(traits: Traits, naming: Naming) -> CounterKind:
    """Return the kind of a piece; UNKNOWN if neither name nor picture is known.

    Pieces of extensions are in no list; vehicles and Guns have their pictures in folders of their
    own (`ge/veh`, `ru/gun`).
    """
    if any(traits.owners_of("concealment")):
        return CounterKind.CONCEALMENT
    row = _entry_of(traits, naming)
    if row is not None:
        return row.kind
    for name in (traits.basic, without_status(naming.unit)):
        for pattern, kind in _PATTERNS:
            if pattern.fullmatch(name):
                return kind
        if name in status_by_marker():
            return CounterKind.STATUS
    for picture in traits.pictures:
        folder = picture.split("/")
        if len(folder) > 2 and folder[0] in NATIONS and folder[1] in _FOLDERS:
            return _FOLDERS[folder[1]]
    return CounterKind.UNKNOWN


def nation_of(traits: Traits, naming: Naming) -> str | None:
    """Return the nation's code: of a picture's folder, else the concealment, its file, the counter.

    The concealment says German of most Hungarian counters, so the folder comes first.
    """
    parts = [picture.rpartition("/") for picture in traits.pictures]
    for folder, _, _ in parts:
        if folder[:2] in NATIONS and folder[2:3] in ("", "/") and folder[:2] != SHARED:
            return folder[:2]
    for owner in (*traits.owners_of("conceal"), *traits.owners_of("concealment")):
        if owner.nation in NATIONS:
            return owner.nation
    for folder, _, file in parts:
        if folder == SHARED:
            return SHARED
        match = _FILE.match(file)
        if match and match[1] in NATIONS:
            return match[1]
    row = _entry_of(traits, naming)
    return row.nation if row else None


def status_in_name(name: str) -> tuple[str, ...]:
    """Return the status in the name of a piece."""
    statuses, _ = _split_status(name)
    hatch = _HATCH.search(name)
    if hatch:
        statuses.append(_HATCHES[hatch[1]])
    return tuple(dict.fromkeys(statuses))


def without_status(name: str) -> str:
    """Return the name of a piece without the status in front."""
    return _split_status(name)[1]


def _split_status(name: str) -> tuple[list[str], str]:
    """Return the status at the beginning of a name, and the rest of the name."""
    statuses = []
    while True:
        for words, status in _BEGINNINGS:
            prefix = next((word for word in words if name.startswith(word)), None)
            if prefix:
                statuses.append(status)
                name = name[len(prefix) :]
                break
        else:
            return statuses, name


def _entry_of(traits: Traits, naming: Naming) -> CounterEntry | None:
    names, slots = _load_table()
    for name in (traits.basic, naming.unit.strip()):
        entry = slots.get((name, traits.slot or "")) or names.get(name)
        if entry:
            return entry
    return None


_FACING = re.compile(r" (\w*ca)([1-6](?:/[1-6])?)")
_FACINGS = re.compile(rf"(?:{_FACING.pattern})+")
_HATCH_WORDS = (" BU", " CE")
MAX_NAME = 200
MAX_SHOWN = 40_000
"""Longest name with texts, in characters."""


@dataclass(frozen=True)
class Label:
    """A text on a counter, and which of its lines it is."""

    slot: str
    text: str


@dataclass(frozen=True)
class Naming:
    """The names of a piece.

    `name` is the whole name, `unit` without facing and hatch, `shown` as VASL shows it, with texts, to a player who
    may see all. `labels` are from the outermost inwards.
    """

    name: str
    unit: str
    shown: str
    labels: tuple[Label, ...]
    facing: Mapping[str, str]


def name_piece(
    traits: Traits, clean: Callable[[str], str], work: WorkLimit, properties: Mapping[str, str] = MappingProxyType({})
) -> Naming:
    """Return the names of a piece. `clean` makes a text that players have typed fit to show.

    `properties` are values that a label may show instead of a text of its own.
    """
    name = unit = shown = traits.basic
    labels: list[Label] = []
    facing: dict[str, str] = {}
    for trait in traits.layered:
        if isinstance(trait, Layer):
            name, shown = _apply_level_name(name, trait.name), _apply_level_name(shown, trait.name)
            behind = _suffix_of(trait.name)
            if _FACINGS.fullmatch(behind):
                facing.update(_FACING.findall(behind))
            elif behind not in _HATCH_WORDS:
                unit = _apply_level_name(unit, trait.name)
        elif isinstance(trait, Inscription):
            label = Label(clean(trait.slot), clean(_fill_in(trait.text, properties)))
            labels.append(label)
            form = clean(trait.form) or "$pieceName$ ($label$)"
            work.spend(len(form) + len(shown) + len(label.text))
            # Once each: what a file asks for more often is not worth the memory.
            shown = form.replace("$pieceName$", shown, 1).replace("$label$", label.text, 1)
        elif trait.how in _OWNER_MARKS and trait.user not in ("", "null"):
            shown += _OWNER_MARKS[trait.how]
        name, unit, shown = name[:MAX_NAME], unit[:MAX_NAME], shown[:MAX_SHOWN]
    return Naming(printable(name), printable(unit), printable(shown), tuple(reversed(labels)), facing)


_REFERENCE = re.compile(r"\$([A-Za-z]\w{0,40})\$")
_OWNER_MARKS = {"hide": "(HIP)", "conceal": "(?)"}


def _fill_in(text: str, properties: Mapping[str, str]) -> str:
    """Return a label's text; that is a value, `?` for one not known, if the text is nothing but a property's name."""
    reference = _REFERENCE.fullmatch(text)
    return text if reference is None else properties.get(reference[1], "?")


def _suffix_of(level: str) -> str:
    """Return the text that a level's name puts behind the piece's, or nothing."""
    first, *rest = decode(level, "+")
    return rest[0] if rest and not first else ""


def _apply_level_name(name: str, level: str) -> str:
    if not level:
        return name
    first, *rest = decode(level, "+")
    if not rest:
        return first
    return first + name if first else name + rest[0]
