"""Posts one wrong value after the other to every form of the library and to the API, as browsers and programs do.

What comes back is handed on as `Said`: the tests look for errors of the server, a validator's own words and paths of
files in it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import yaml
from django.http.response import HttpResponseBase
from django.test import Client

from laager.base.files import parse_document
from laager.kinds import kind_named
from laager.rules.board.hasl.grids.sheets import GRIDS, grids_of
from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.models import Player
from tests.base.test_schema_words import WRONG, example_files, fields, raw_texts, short, with_value
from tests.web.typing_in import forms_of

Case = TypeVar("Case")
PACKS = Path(str(files("laager.packs")))
TYPED = ("x y!", "", "-5", "1.5", "9" * 25, "[1, 2]", "{x: 1}", "No Such Thing", "<b>&'\"", "a" * 3000, "1-2-3", "?")
"""What is typed into each field: text for a number, nothing, too little, too much, a list, an unknown name."""
SENT: tuple[Any, ...] = (None, 5, True, [], {}, ["x"], {"x": 1}, "", "x" * 3000)
"""What a program sends for each field of a body."""
_PROBLEM = re.compile(r'<(?:li|p) class="problem"[^>]*>(.*?)</(?:li|p)>', re.DOTALL)
_REFUSED = re.compile(r'<(?:div|p|ul) class="(?:refused|problems)"[^>]*>(.*?)</(?:div|p|ul)>', re.DOTALL)
_PART = re.compile(r'href="(/library/file/[^"]*/form\?part=[^"]*)"')
UNWRITTEN = {"answers", "battles", "temperaments", "rules-index", "vasl-names"}
"""Kinds of files that nobody keeps in a library, or whose names are like those of fields."""


@dataclass(frozen=True)
class Said:
    """What came back of a wrong value: what was sent where, the status, the words."""

    where: str
    status: int
    text: str

    @property
    def faults(self) -> list[str]:
        """What must not come back: an error of the server, a validator's words."""
        return [f"status {self.status}"] * (self.status >= 500) + raw_texts(self.text)


def texts_of_library() -> dict[str, str]:
    """Return a library with a file of each kind that has grids or a form, cards next to what they name."""
    texts: dict[str, str] = {}
    for skeleton, name in (("skeleton-abtf", "a"), ("skeleton-er", "e"), ("skeleton-pl", "p")):
        texts |= file_templates.made_from(skeleton, name)
    texts |= file_templates.made_from("house-pl", "h")
    for kind, path in example_files().items():
        if kind not in UNWRITTEN:
            texts[f"{kind}.yaml"] = path.read_text(encoding="utf-8")
    return texts


def problems_in(html: str) -> list[str]:
    """Return the problems that a page names, as people read them."""
    parts = [*_PROBLEM.findall(html), *(part for div in _REFUSED.findall(html) for part in re.split("<li>|<p>", div))]
    return [text for part in parts if (text := unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", part))).strip())]


def said(where: str, response: HttpResponseBase) -> Iterator[Said]:
    """Yield what a page says."""
    html = getattr(response, "content", b"").decode()
    told = problems_in(html)
    yield from (Said(where, response.status_code, text) for text in told or [""])


# The forms of the library -------------------------------------------------------------------------


def sample_of(items: Sequence[Any], most: int | None, seed: str) -> Sequence[Any]:
    """Return some of the items, always the same ones; all for None."""
    return items if most is None else random.Random(seed).sample(items, min(most, len(items)))


def unlike(cases: Iterable[Case], place_of: Callable[[Case], object]) -> list[Case]:
    """Return one case of each place: what is wrong in a line of a list is told as in its other lines."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(re.sub(r"[0-9]+", "1", repr(place_of(case))), case)
    return list(first.values())


def in_turn(places: Sequence[Case], values: Sequence[Any], each: int) -> list[tuple[Case, Any]]:
    """Return each place with some of the values, so that all values have their turn."""
    return [(place, values[(i * each + j) % len(values)]) for i, place in enumerate(places) for j in range(each)]


def kind_in(texts: Mapping[str, str], name: str) -> str:
    return kind_named(parse_document(texts[name], name).data)


def fuzz_grids(own: Client, user: Player, texts: Mapping[str, str], most: int | None = None) -> Iterator[Said]:
    """Type wrong values into each column of each chart: its first row, or a new one."""
    places, kinds = [], {name: kind_in(texts, name) for name in texts}
    for name, kind in kinds.items():
        if kind in GRIDS:
            data = parse_document(texts[name], name).data
            for grid in grids_of(kind, data):
                rows = [list(row.cells) for row in grid.rows(data)] or [[""] * len(grid.columns)]
                places += [(name, grid.id, rows, j, column.heading) for j, column in enumerate(grid.columns)]
    places = unlike(places, lambda place: (kinds[place[0]], place[1], place[4]))
    cases = in_turn(places, TYPED, 4)
    for (name, chart, rows, column, _), value in sample_of(cases, most, "grids"):
        sent = {f"r{i}.{j}": cell for i, row in enumerate(rows) for j, cell in enumerate(row)}
        response = own.post(f"/library/file/{name}/fill?chart={chart}", sent | {f"r0.{column}": value, "do": "save"})
        if response.status_code == 302:
            # What contradicts is kept, and named on the page.
            response = own.get(response["Location"])
            library.save(user, name, texts[name])
        yield from said(f"{name} {chart} column {column}: {value[:30]!r}", response)


def form_addresses(own: Client, name: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield the forms of a file and its parts with what a browser would send; of each list the first part."""
    seen: set[str] = set()
    waiting = [f"/library/file/{name}/form"]
    while waiting:
        address = waiting.pop()
        kind = re.sub(r"[0-9]+", "1", address)
        if kind in seen or len(seen) >= 40:
            continue
        seen.add(kind)
        page = own.get(address).content.decode()
        waiting += [unescape(part) for part in _PART.findall(page)]
        yield from ((address, form.data) for form in forms_of(page) if "was" in form.data)


def fuzz_forms(own: Client, user: Player, texts: Mapping[str, str], most: int | None = None) -> Iterator[Said]:
    """Type wrong values into each field of each form."""
    kinds = {name: kind_in(texts, name) for name in texts}
    forms = [(name, *form) for name in texts for form in form_addresses(own, name)]
    places = unlike(
        ((*form, field) for form in forms for field in form[2] if field != "was"),
        lambda place: (kinds[place[0]], place[1].partition("?")[2], place[3]),
    )
    for (name, address, data, field), value in sample_of(in_turn(places, TYPED, 3), most, "forms"):
        response = own.post(address, {**data, field: value, "do": "save"})
        if response.status_code == 302:
            library.save(user, name, texts[name])
        yield from said(f"{address} {field}: {value[:30]!r}", response)


def fuzz_texts(own: Client, texts: Mapping[str, str], most: int | None = None) -> Iterator[Said]:
    """Write wrong values into each field of the text of each file."""
    for name, where, text in _wrong_texts(texts, most, 4):
        yield from said(where, own.post(f"/library/file/{name}/live", {"text": text}))


def _wrong_texts(texts: Mapping[str, str], most: int | None, each: int) -> Iterator[tuple[str, str, str]]:
    read = {name: short(parse_document(text, name).data) for name, text in texts.items()}
    places = unlike(
        ((name, data, way) for name, data in read.items() for way in fields(data)),
        lambda place: (kind_named(place[1]), place[2]),
    )
    for (name, data, way), value in sample_of(in_turn(places, WRONG, each), most, f"texts, {each}"):
        where = f"{name} {'.'.join(map(str, way))}: {value!r}"
        yield name, where, yaml.safe_dump(with_value(data, way, value), allow_unicode=True, sort_keys=False)


MAP_FIELDS: Mapping[str, Mapping[str, str]] = {
    "hex": {"hex": "C4", "terrain": "open", "level": "0", "features": "", "road": "", "note": ""},
    "changes": {"hex": "", "changes": "C4=woods"},
    "places": {"hex": "C4", "area": "", "block": "", "arrow": ""},
    "rename": {"kind": "block", "old": "A", "new": "B"},
    "strokes": {"strokes": '[["C4=woods"]]', "hex": "C4"},
    "undo": {"hex": "C4"},
    "look": {"card": "p.yaml", "hex": "C4"},
}
CHANGES = (
    "C4",
    "C4=",
    "=woods",
    "C4=nonsense",
    "ZZ99=woods",
    "C4=level:99",
    "C4=level:x",
    "block:=X",
    "@block:C4=",
    "x:y=z",
)


def fuzz_maps(own: Client, user: Player, name: str, text: str, most: int | None = None) -> Iterator[Said]:
    """Send each wrong value in each field of the map's forms."""
    cases = [
        (do, {**sent, field: value})
        for do, sent in MAP_FIELDS.items()
        for field in ("do", *sent)
        for value in (*TYPED, *(CHANGES if field == "changes" else ()))
    ]
    cases += [("strokes", {"strokes": json.dumps([[line]])}) for line in (*TYPED, *CHANGES)]
    for do, sent in sample_of(cases, most, "maps"):
        response = own.post(f"/library/file/{name}/map", {"do": do, **sent})
        if response.status_code == 302:
            library.save(user, name, text)
        yield from said(f"map {sent}", response)


OTHER_FORMS: Sequence[tuple[str, Mapping[str, str]]] = (
    ("/library/new", {"template": "skeleton-pl", "name": "q"}),
    ("/library/file/e.yaml/rename", {"to": "a.yaml"}),
    ("/library/file/h.yaml/house", {"title": "T", "why": "W"}),
    ("/library/file/h.yaml/house?clause=PL 3.47", {"why": "W", "does": "x"}),
)


def fuzz_others(own: Client, most: int | None = None) -> Iterator[Said]:
    """Send each wrong value in each field of the smaller forms."""
    cases = [(address, sent, field, value) for address, sent in OTHER_FORMS for field in sent for value in TYPED]
    for address, sent, field, value in sample_of(cases, most, "others"):
        yield from said(f"{address} {field}: {value[:30]!r}", own.post(address, {**sent, field: value}))


# The API ------------------------------------------------------------------------------------------


def fuzz_api(own: Client, user: Player, texts: Mapping[str, str], most: int | None = None) -> Iterator[Said]:
    """Send programs' wrong values: of each body, and each wrong text."""
    number = library.find(user, "p.yaml").pk
    bodies: list[tuple[str, str, dict[str, Any]]] = [
        ("put", "/files/p.yaml", {"text": texts["p.yaml"]}),
        ("post", "/files/p.yaml/check", {"text": texts["p.yaml"]}),
        ("put", f"/shared/{number}", {"text": texts["p.yaml"], "was": "0"}),
        ("put", f"/shared/{number}/rights", {"seen_by": "nobody", "changed_by": "nobody", "readers": [], "along": []}),
        ("post", "/campaigns", {"card": "training", "record": "laager: pl-record/1\n", "house": "h.yaml"}),
    ]
    cases = [(*call, field, value) for call in bodies for field in call[2] for value in SENT]
    for method, address, body, field, value in sample_of(cases, most, "bodies"):
        yield from _called(own, method, address, {**body, field: value}, f"{field}: {value!r:.30}")
    for name, where, text in _wrong_texts(texts, most, 1):
        yield from _called(own, "post", f"/files/{name}/check", {"text": text}, where)


def _called(own: Client, method: str, address: str, body: Any, where: str) -> Iterator[Said]:
    call = own.put if method == "put" else own.post
    response = call(f"/api/v1{address}", json.dumps(body), content_type="application/json")
    told = response.json() if response.content else {}
    problems = told.get("problems") or [{"what": told.get("text", ""), "right": ""}]
    for problem in problems:
        text = "; ".join(filter(None, (problem["what"], problem["right"])))
        yield Said(f"{method} {address} {where}", response.status_code, text)
