"""Where a clause is carried out: the functions that name it, and the tables, modifiers and figures in data files."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

from laager.base.files import Document, read_document
from laager.campaign.clauses import implementers, unwrap
from laager.campaign.steps import Step

DATA = ("tables.yaml", "charts.yaml", "readings.yaml")
"""The data files of a rule system that name clauses."""


@dataclass(frozen=True)
class CodePlace:
    """Where something stands: file, line, a name, and what it does or says.

    The name is that of a function, or the path of a part of a data file with ids instead of numbers.
    """

    file: str
    line: int
    name: str
    about: str


def places_of(package: str, clause: str) -> tuple[CodePlace, ...]:
    """Return where a clause and its notes are carried out in the package of a rule system: code first, then data.

    The notes of ER 1.5193 are ER 1.5193 DRM and ER 1.5193 Note a.
    """
    code = [by for name, things in implementers(package).items() if _names(name, clause) for by in things]
    return (*map(place_of, dict.fromkeys(code)), *_data_places(package, clause))


def place_of(by: str) -> CodePlace:
    """Return where something stands that `implementers` names as `module:name`."""
    module, _, name = by.partition(":")
    thing: Any = importlib.import_module(module)
    for part in name.split("."):
        thing = vars(thing)[part]
    thing = inspect.unwrap(thing.run if isinstance(thing, Step) else unwrap(thing))
    about = (inspect.getdoc(thing) or "").partition("\n")[0]
    return CodePlace(inspect.getsourcefile(thing) or "", inspect.getsourcelines(thing)[1], name, about)


def _data_places(package: str, clause: str) -> Iterator[CodePlace]:
    for name in DATA:
        resource = files(package).joinpath(name)
        if resource.is_file():
            with as_file(resource) as path:
                yield from _places_in(read_document(path), clause)


def _places_in(document: Document, clause: str) -> Iterator[CodePlace]:
    """Yield the parts of a file that name a clause or one of its notes."""

    def walk(part: Any, where: tuple[str | int, ...], name: str) -> Iterator[CodePlace]:
        if isinstance(part, dict):
            if any(_names(value, clause) for value in part.values()):
                yield CodePlace(document.name, document.line(where) or 1, name, _about(part, where, document))
            for key, value in part.items():
                yield from walk(value, (*where, key), f"{name}.{key}" if name else str(key))
        elif isinstance(part, list):
            for position, value in enumerate(part):
                own = value.get("id") if isinstance(value, dict) else None
                yield from walk(value, (*where, position), f"{name}.{own or position + 1}")

    yield from walk(document.data, (), "")


def _names(value: Any, clause: str) -> bool:
    values = value if isinstance(value, list) else [value]
    return any(isinstance(each, str) and (each == clause or each.startswith(f"{clause} ")) for each in values)


def _about(part: dict[str, Any], where: tuple[str | int, ...], document: Document) -> str:
    """Return what a part of a file says of itself; of a table, where its rows begin."""
    words = [str(part[key]) for key in ("title", "name", "question", "when") if key in part]
    if isinstance(value := part.get("value"), int):
        words.insert(0, f"{value:+d}")
    if "rows" in part:
        words.append(f"rows from line {document.line((*where, 'rows', 0))}")
    return ": ".join(words)
