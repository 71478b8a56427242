"""Receives Laager's notices, and prints those that are signed with your key.

LAAGER_WEBHOOK_KEY=whsec_… python receiver.py 8080
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["LAAGER_WEBHOOK_KEY"].removeprefix("whsec_"))
OLDEST = 300  # seconds: somebody may send an old message again
LONGEST = 10_000  # bytes
seen: set[str] = set()


def is_signed(headers: Message, body: bytes) -> bool:
    """Return True if a message is new and signed with the key."""
    notice, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or abs(time.time() - int(stamp)) > OLDEST:
        return False
    digest = hmac.digest(KEY, f"{notice}.{stamp}.".encode() + body, hashlib.sha256)
    right = "v1," + base64.b64encode(digest).decode()
    return hmac.compare_digest(right.encode(), headers.get("webhook-signature", "").encode())


class Receiver(BaseHTTPRequestHandler):
    """Takes what is posted, wherever on this machine."""

    def do_POST(self) -> None:
        """Print a notice, once."""
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), LONGEST))
        good = is_signed(self.headers, body)
        notice = self.headers.get("webhook-id", "")
        if good and notice not in seen:  # the same one may come twice
            seen.add(notice)
            told = json.loads(body)
            print(told["text"], told["step"], told["link"], flush=True)
        self.send_response(204 if good else 401)
        self.end_headers()


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
