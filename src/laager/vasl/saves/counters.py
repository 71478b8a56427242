"""Counters: what a piece is. Names decide; the number of a palette slot is a hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from laager.vasl.archive import packed_table
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import WorkLimit, decode
from laager.vasl.saves.traits import Inscription, Layer, Traits


class Kind(StrEnum):
    """What sort of thing a piece is."""

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


UNITS = frozenset({Kind.MMC, Kind.SMC, Kind.SW, Kind.GUN, Kind.VEHICLE, Kind.AIR})
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
"""The folder of pictures that several nations have; what lies in it tells of none."""

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
_FOLDERS: Mapping[str, Kind] = {"veh": Kind.VEHICLE, "vehicles": Kind.VEHICLE, "gun": Kind.GUN, "guns": Kind.GUN}
_PATTERNS = (
    (re.compile(r"(.* )?Wreck( VBM|[0-9]*)"), Kind.WRECK),
    (re.compile(r"[0-9]+-[0-9]+-[0-9]+ \w*(sq|hs|cr)\b.*"), Kind.MMC),
    (re.compile(r"(10|[6-9])[-+][0-9]"), Kind.SMC),
    (re.compile(r"\w+ [Cc]ontrol"), Kind.CONTROL),
)
"""What pieces that are in no list are called, by kind."""
_FILE = re.compile(r"([a-z]{2})[A-Z]")


@dataclass(frozen=True)
class CounterEntry:
    """What the table of counters tells of a name."""

    kind: Kind
    nation: str | None


@cache
def _table() -> tuple[Mapping[str, CounterEntry], Mapping[tuple[str, str], CounterEntry]]:
    """Return the counters by name, and by name and slot where a name stands for several."""
    names: dict[str, CounterEntry] = {}
    slots: dict[tuple[str, str], CounterEntry] = {}
    for line in packed_table("counters.csv"):
        row = CounterEntry(Kind(line["kind"]), line["nation"] or None)
        if line["slots"]:
            slots.update({(line["name"], slot): row for slot in line["slots"].split()})
        else:
            names[line["name"]] = row
    return names, slots


@cache
def markers() -> Mapping[str, str]:
    """Return what status the counters that tell one stand for, by name."""
    return {line["name"]: line["status"] for line in packed_table("markers.csv")}


def kind_of(traits: Traits, naming: Naming) -> Kind:
    """Return what sort of thing a piece is; UNKNOWN if neither name nor looks say.

    Pieces of extensions are in no list; vehicles and Guns have their pictures in folders of their
    own (`ge/veh`, `ru/gun`).
    """
    if any(traits.owned("concealment")):
        return Kind.CONCEALMENT
    row = _row(traits, naming)
    if row is not None:
        return row.kind
    for name in (traits.basic, plain(naming.unit)):
        for pattern, kind in _PATTERNS:
            if pattern.fullmatch(name):
                return kind
        if name in markers():
            return Kind.STATUS
    for picture in traits.pictures:
        folder = picture.split("/")
        if len(folder) > 2 and folder[0] in NATIONS and folder[1] in _FOLDERS:
            return _FOLDERS[folder[1]]
    return Kind.UNKNOWN


def nation_of(traits: Traits, naming: Naming) -> str | None:
    """Return the nation's code: of a picture's folder, else the concealment, its file, the counter.

    The concealment says German of most Hungarian counters, so the folder comes first.
    """
    parts = [picture.rpartition("/") for picture in traits.pictures]
    for folder, _, _ in parts:
        if folder[:2] in NATIONS and folder[2:3] in ("", "/") and folder[:2] != SHARED:
            return folder[:2]
    for one in (*traits.owned("conceal"), *traits.owned("concealment")):
        if one.nation in NATIONS:
            return one.nation
    for folder, _, file in parts:
        if folder == SHARED:
            return SHARED
        led = _FILE.match(file)
        if led and led[1] in NATIONS:
            return led[1]
    row = _row(traits, naming)
    return row.nation if row else None


def own_status(name: str) -> tuple[str, ...]:
    """Return the status that the name of a piece tells of itself."""
    found, _ = _begun(name)
    hatch = _HATCH.search(name)
    if hatch:
        found.append(_HATCHES[hatch[1]])
    return tuple(dict.fromkeys(found))


def plain(name: str) -> str:
    """Return the name of a piece without what it tells of its status in front."""
    return _begun(name)[1]


def _begun(name: str) -> tuple[list[str], str]:
    """Return the status that the beginning of a name tells, and the rest of the name."""
    found = []
    while True:
        for words, status in _BEGINNINGS:
            begun = next((word for word in words if name.startswith(word)), None)
            if begun:
                found.append(status)
                name = name[len(begun) :]
                break
        else:
            return found, name


def _row(traits: Traits, naming: Naming) -> CounterEntry | None:
    names, slots = _table()
    for name in (traits.basic, naming.unit.strip()):
        found = slots.get((name, traits.slot or "")) or names.get(name)
        if found:
            return found
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
    """What a piece is called.

    `name` is the whole name, `unit` without facing and hatch, `shown` as VASL shows it to one who may see all, with
    texts. `labels` are from the outermost inwards.
    """

    name: str
    unit: str
    shown: str
    labels: tuple[Label, ...]
    facing: Mapping[str, str]


def naming(traits: Traits, clean: Callable[[str], str], work: WorkLimit) -> Naming:
    """Return what a piece is called. `clean` makes a text that players have typed fit to show."""
    name = unit = shown = traits.basic
    labels: list[Label] = []
    facing: dict[str, str] = {}
    for one in traits.layered:
        if isinstance(one, Layer):
            name, shown = _renamed(name, one.name), _renamed(shown, one.name)
            behind = _behind(one.name)
            if _FACINGS.fullmatch(behind):
                facing.update(_FACING.findall(behind))
            elif behind not in _HATCH_WORDS:
                unit = _renamed(unit, one.name)
        elif isinstance(one, Inscription):
            label = Label(clean(one.slot), clean(one.text))
            labels.append(label)
            form = clean(one.form) or "$pieceName$ ($label$)"
            work.spend(len(form) + len(shown) + len(label.text))
            # Once each: what a file asks for more often is not worth the memory.
            shown = form.replace("$pieceName$", shown, 1).replace("$label$", label.text, 1)
        elif one.how in _OWNED and one.user not in ("", "null"):
            shown += _OWNED[one.how]
        name, unit, shown = name[:MAX_NAME], unit[:MAX_NAME], shown[:MAX_SHOWN]
    return Naming(printable(name), printable(unit), printable(shown), tuple(reversed(labels)), facing)


_OWNED = {"hide": "(HIP)", "conceal": "(?)"}


def _behind(level: str) -> str:
    """Return what a level's name puts behind the piece's, or nothing."""
    first, *rest = decode(level, "+")
    return rest[0] if rest and not first else ""


def _renamed(name: str, level: str) -> str:
    if not level:
        return name
    first, *rest = decode(level, "+")
    if not rest:
        return first
    return first + name if first else name + rest[0]
