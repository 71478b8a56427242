"""Sends wrong values and files by all forms of some pages, as browsers do: uploads, boards, rights, rulings, VASL."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from laager.web.campaigns import tables

from .fuzzing import TYPED, Said, in_turn, problems_in, said, sample_of, unlike
from .typing_in import forms_of


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


_WHOLE = zip_of({"a.yaml": b"laager: map/1\n" * 40, "b.yaml": b"x"})
FILES: Sequence[tuple[str, bytes]] = (
    ("empty.yaml", b""),
    ("a.yaml", b"laager: pl-card/9\n"),
    ("a.yaml", b"- one\n- two\n"),
    ("a.yaml", b"\xff\xfe\x00text"),
    ("a.yaml", b"a: [1, 2\n"),
    ("x y!.yaml", b"laager: map/1\n"),
    ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(40)),
    ("half.zip", _WHOLE[: len(_WHOLE) // 2]),
    ("none.zip", zip_of({})),
    ("out.zip", zip_of({"../../a.yaml": b"laager: map/1\n"})),
    ("inner.zip", zip_of({"inner.zip": _WHOLE})),
    ("large.yaml", b"a: b\n" * 150_000),
    ("bomb.zip", zip_of({"a.yaml": bytes(30_000_000)})),
    ("bdOne", zip_of({"BoardMetadata.xml": b"<boardMetadata"})),
    ("bdTwo", zip_of({"bdTwo.gif": b"GIF89a", "data": b""})),
    ("game.vsav", zip_of({"savedGame": b"!VCSK00", "moduledata": b"<data/>"})),
    ("game.vlog", zip_of({"other": b""})),
    ("rows.csv", b'a,b\n"c'),
)
"""What is sent where a file belongs: nothing, no text, no YAML, no ZIP, no board, no save, too much."""


def fuzz_pages(own: Client, pages: Sequence[str], most: int | None = None, each: int = 4) -> Iterator[Said]:
    """Send wrong values in each field of each form of these pages, and wrong files; nothing of it is kept."""
    forms = []
    for address in pages:
        page = own.get(address)
        assert page.status_code == 200, address
        forms += [(form.action or address, form) for form in forms_of(page.content)]
    places = unlike(
        [
            (action, form.data, control.name, control.kind == "file")
            for action, form in forms
            for control in form.controls
            if control.name and control.name != "csrfmiddlewaretoken" and form.method == "post"
        ],
        lambda place: (place[0], sorted(place[1]), place[2]),
    )
    typed = in_turn([place for place in places if not place[3]], TYPED, each)
    sent = [(place, file) for place in places if place[3] for file in FILES]
    for (action, data, name, _), value in [*sample_of(typed, most, "typed"), *sample_of(sent, most, "sent")]:
        given = value if isinstance(value, str) else SimpleUploadedFile(value[0], value[1])
        shown = value[:30] if isinstance(value, str) else value[0]
        with transaction.atomic():
            response = own.post(action, {**data, name: given}, follow=True)
            yield from _without(value[0], said(f"{action} {name}: {shown!r}", response))
            transaction.set_rollback(True)
        tables.SHELF.clear()


def fuzz_saves(own: Client, address: str, field: str, most: int | None = None) -> Iterator[Said]:
    """Send wrong files to an address that answers with a part of a page in JSON."""
    for name, data in sample_of(FILES, most, "saves"):
        sent = {field: SimpleUploadedFile(name, data)}
        response = own.post(address, sent, headers={"Accept": "application/json"})
        shown = problems_in(response.json()["html"])
        yield from _without(name, (Said(f"{address}: {name}", response.status_code, text) for text in shown or [""]))


def _without(name: str, said_: Iterable[Said]) -> Iterator[Said]:
    """Yield what is said without the name of the file that was sent."""
    for one in said_:
        yield replace(one, text=one.text.replace(f"{name}:", "").replace(repr(name), ""))
