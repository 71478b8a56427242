"""Answers in the log, as one would say them: `2 groups, no attack, 1 Patrol` for what a form keeps by name.

A log keeps an answer without its form, so these are the words for the names that forms give to their fields. A name
without words of its own is said as it is, with its value: `contact: radio`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign.sentences import Names
from laager.campaign.speech import ENGLISH, put, say

LONGEST_ANSWER = 60
"""Answers longer than this are shown by `laager why` only."""

_COUNTED: Mapping[str, tuple[str, str]] = {
    "bought": ("{n} bought", "{n} bought"),
    "control": ("{n} change of Control", "{n} changes of Control"),
    "cp": ("{n} CP", "{n} CP"),
    "extras": ("{n} extra", "{n} extras"),
    "fires": ("{n} fire", "{n} fires"),
    "forts": ("{n} fortification", "{n} fortifications"),
    "generate": ("{n} leader generated", "{n} leaders generated"),
    "groups": ("{n} group", "{n} groups"),
    "lines": ("{n} line", "{n} lines"),
    "links": ("{n} link", "{n} links"),
    "modules": ("{n} OBA module", "{n} OBA modules"),
    "patrols": ("{n} Patrol", "{n} Patrols"),
    "revealed": ("{n} fortification revealed", "{n} fortifications revealed"),
    "rows": ("{n} line", "{n} lines"),
    "terrain": ("{n} change of terrain", "{n} changes of terrain"),
    "units": ("{n} unit", "{n} units"),
    "works": ("{n} fortification", "{n} fortifications"),
}
"""What one and several are called of which an answer gives the number, or a list."""

_VALUED: Mapping[str, str] = {
    "drm": "DRM {value}",
    "first": "{value}",
    "harden": "{value} hardened",
    "moves": "{value} to move first",
    "option": "option {value}",
    "san": "SAN {value}",
    "second": "{value}",
    "sets-up": "{value} to set up first",
    "side": "{value}",
    "turn": "turn {value}",
}
"""What is said of a value."""

_SWITCHED: Mapping[str, tuple[str, str]] = {
    "abort": ("the mission is called off", ""),
    "attack": ("attack", "no attack"),
    "attacked": ("it was attacked", ""),
    "buy": ("bought", "not bought"),
    "far": ("far apart", ""),
    "los": ("in LOS", "out of LOS"),
    "massacre": ("Massacre", ""),
    "mol": ("MOL", ""),
    "motorized": ("motorized", "not motorized"),
    "rain": ("rain", "no rain"),
    "recon": ("Recon", "no Recon"),
    "roll": ("DR made", "no DR"),
    "ski": ("skis", ""),
    "winter_camouflage": ("winter camouflage", ""),
}
"""What is said of a yes, and of a no; a usual no goes without saying."""

_WORDS: Mapping[tuple[str, str], str] = {
    ("abort", "no"): "",
    ("intensity", "as-card"): "intensity as on the card",
    ("moves", "dr"): "a dr says who moves first",
    ("status", "agreed"): "play ends by agreement",
    ("status", "ended"): "play has ended",
    ("status", "headquarters"): "the Headquarters is revealed",
    ("status", "rain"): "it rains",
    ("status", "released"): "reinforcements are released",
    ("status", "roll"): "the Game End dr is made",
}
"""What is said of one value of a field."""

_PLAIN: Mapping[str, str] = {"off-map": "off map", "on-map": "on map"}
"""Values that don't read as they are."""


def answer_line(value: Any, names: Names, language: str = ENGLISH) -> str:
    """Return what stands behind a question in the log: `– 2 groups, no attack`; "" if it would be too long."""
    text = ", ".join(_parts(value, names, language)) if isinstance(value, dict) else _value(value, names, language)
    text = text or say("nothing", language)
    return f"– {text}" if "\n" not in text and len(text) <= LONGEST_ANSWER else ""


def _parts(value: Mapping[str, Any], names: Names, language: str) -> Iterator[str]:
    """Yield what an answer of several parts says, in words; parts that say nothing are left out."""
    for name, part in value.items():
        if part in (None, "", [], {}):
            continue
        if isinstance(part, bool) and name in _SWITCHED:
            text = _SWITCHED[name][not part]
            yield from (say(text, language),) if text else ()
        elif name in _COUNTED and isinstance(part, int | list) and not isinstance(part, bool):
            count = part if isinstance(part, int) else len(part)
            yield put(_COUNTED[name][count != 1], language, n=count)
        elif isinstance(part, str) and (name, part) in _WORDS:
            yield from filter(None, (say(_WORDS[name, part], language),))
        else:
            said = _value(part, names, language)
            plain = names.get(name) or say(name.replace("_", " ").replace("-", " "), language)
            yield put(_VALUED[name], language, value=said) if name in _VALUED else f"{plain}: {said}"


def _value(value: Any, names: Names, language: str) -> str:
    if isinstance(value, list) and not (value and isinstance(value[0], dict)):
        return ", ".join(_value(item, names, language) for item in value) or say("nothing", language)
    if not isinstance(value, str):
        return say(in_words(value), language)
    if value in _PLAIN:
        return say(_PLAIN[value], language)
    side, dash, area = value.partition("-")
    return area if dash and side in names else names.get(value) or say(in_words(value), language)


def in_words(value: Any) -> str:
    """Return an answer as people would say it: yes, a number, names, `3 lines`."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None | "" | []:
            return "nothing"
        case dict() if not value:
            return "nothing"
        case dict():
            return ", ".join(f"{name}: {in_words(part)}" for name, part in value.items())
        case [dict(), *_]:
            return f"{len(value)} line{'s' if len(value) > 1 else ''}"
        case list() | tuple():
            return ", ".join(in_words(part) for part in value)
        case _:
            return str(value)
