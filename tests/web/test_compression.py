"""Text is sent compressed; pictures, events and parts of files aren't, and marks of contents still count."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client

from laager.web.serving.middleware import CompressionMiddleware
from tests.web.conftest import untokened

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from laager.web.models import Game
    from tests.web.conftest import People

GZIP = {"accept-encoding": "gzip, deflate, br"}
STYLE = "/static/laager/shared/style.css"
LONG = b"abc" * 1000


def content_of(answer: HttpResponseBase) -> bytes:
    return answer.getvalue() if isinstance(answer, StreamingHttpResponse) else answer.content  # type: ignore[attr-defined]


def test_pages_answers_styles_and_drawings_are_compressed(game: Game, people: People) -> None:
    client, seat = people.client(people.anna), f"/campaigns/{game.pk}/axis/"
    for path in (STYLE, seat, f"{seat}map.svg", f"{seat}rules", "/api/v1/openapi.json", f"{seat}no-such-page"):
        plain, packed = client.get(path), client.get(path, headers=GZIP)
        assert not plain.has_header("Content-Encoding"), path
        assert packed["Content-Encoding"] == "gzip", path
        assert "Accept-Encoding" in packed["Vary"], path
        data = content_of(packed)
        whole = content_of(plain)
        assert len(data) < 0.6 * len(whole), path
        assert untokened(gzip.decompress(data)) == untokened(whole), path


def test_a_length_says_nothing_exact(db: None) -> None:
    lengths = {len(content_of(Client().get(STYLE, headers=GZIP))) for _ in range(30)}
    assert len(lengths) > 5


def test_a_mark_that_came_with_a_compressed_file_still_counts(db: None) -> None:
    client = Client()
    packed = client.get(STYLE, headers=GZIP)
    assert packed["ETag"].startswith('W/"')
    assert gzip.decompress(content_of(packed)).startswith(b"/*")
    again = client.get(STYLE, headers={**GZIP, "if-none-match": packed["ETag"]})
    assert (again.status_code, content_of(again)) == (304, b"")
    assert not again.has_header("Content-Encoding")


@pytest.mark.parametrize(
    ("media_type", "packed"),
    [
        ("text/html; charset=utf-8", True), ("text/csv", True), ("text/calendar; charset=utf-8", True),
        ("application/json", True), ("application/problem+json", True), ("application/manifest+json", True),
        ("application/atom+xml; charset=utf-8", True), ("text/javascript", True), ("image/svg+xml", True),
        ("image/png", False), ("application/octet-stream", False), ("application/zip", False),
        ("text/event-stream", False),
    ],
)  # fmt: skip
def test_only_text_that_may_wait_is_compressed(media_type: str, packed: bool) -> None:
    request = HttpRequest()
    request.method, request.META["HTTP_ACCEPT_ENCODING"] = "GET", "gzip"
    for made in (HttpResponse(LONG, media_type), StreamingHttpResponse([LONG], content_type=media_type)):
        answer = CompressionMiddleware(lambda _: HttpResponse()).process_response(request, made)
        assert answer.has_header("Content-Encoding") is packed
        assert (gzip.decompress(content_of(answer)) if packed else content_of(answer)) == LONG


def test_a_part_of_a_file_and_a_head_stay_as_they_are(db: None) -> None:
    client = Client()
    part = client.get(STYLE, headers={**GZIP, "range": "bytes=0-999"})
    assert (part.status_code, len(content_of(part))) == (206, 1000)
    assert not part.has_header("Content-Encoding")
    head = client.head(STYLE, headers=GZIP)
    assert content_of(head) == b""
    assert int(head["Content-Length"]) > 1000
