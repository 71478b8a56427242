"""Receivers of notices for the tests, and a clock to wait for them."""

from __future__ import annotations

import json
import ssl
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from django.core import mail
from django.utils import timezone

from laager.web.campaigns import notices
from laager.web.seats import pending_mails

HERE = ("127.0.0.0/8",)


class Receiver:
    """A receiver on this machine: keeps what is posted, and answers as it is told to."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.taken: list[tuple[str, dict[str, str], bytes]] = []
        self.status, self.words = 204, b""
        self.headers: dict[str, str] = {}
        self.gate = Event()
        self.gate.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.taken.append((self.path, headers, body))
                outer.gate.wait(30)
                self.send_response(outer.status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(outer.words)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook?token=abc"
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.taken]


class Clock:
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def pass_(self, by: timedelta = pending_mails.DELAY) -> list[str]:
        """Let time pass, and do what is due when it is over; return to whom mails went."""
        self.now += by
        mail.outbox.clear()
        notices.post()
        notices.post_to_receivers()
        return [to for one in mail.outbox for to in one.to]
