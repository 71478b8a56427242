"""`laager serve` at one's own desk opens the browser, and only there."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from laager.base import RefusedError, disk
from laager.web.serving import serve


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    for name in ("SSH_CONNECTION", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def test_a_screen_of_ones_own_is_a_desk() -> None:
    assert serve.at_own_desk("127.0.0.1")
    assert serve.at_own_desk("::1")
    assert serve.at_own_desk("localhost")


def test_a_server_for_others_is_not_a_desk() -> None:
    assert not serve.at_own_desk("0.0.0.0")


def test_somebody_far_away_has_no_screen_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 22")
    assert not serve.at_own_desk("127.0.0.1")


def test_without_a_screen_there_is_no_desk_except_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY")
    assert serve.at_own_desk("127.0.0.1") == (sys.platform == "darwin")
    monkeypatch.setattr(disk, "WINDOWS", True)
    assert serve.at_own_desk("127.0.0.1")


@pytest.fixture
def health() -> Iterator[str]:
    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_page_opens_once_the_server_answers(health: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    serve._show(health, f"{health}/a/b")
    assert opened == [f"{health}/a/b"]


def test_the_address_that_others_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LAAGER_ADDRESS", "LAAGER_HTTPS"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    serve._take_address("http://192.168.1.20:8000")
    assert (os.environ["LAAGER_ADDRESS"], os.environ.get("LAAGER_HTTPS")) == ("http://192.168.1.20:8000", None)
    serve._take_address("https://laager.example")
    assert (os.environ["LAAGER_ADDRESS"], os.environ["LAAGER_HTTPS"]) == ("https://laager.example", "yes")


@pytest.mark.parametrize("address", ["", "192.168.1.20:8000", "https://", "ftp://laager.example"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(RefusedError, match=r"write it as https://laager\.example"):
        serve._take_address(address)
