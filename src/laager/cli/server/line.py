"""The line to a Laager server: calls of its JSON API, and what goes wrong with them in words.

The token goes into one header and nowhere else: not into messages, files of bugs or addresses.
"""

from __future__ import annotations

import json
import os
import re
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.cli.ending import WrongUseError

if TYPE_CHECKING:
    import httpx

SERVER, TOKEN = "LAAGER_SERVER", "LAAGER_TOKEN"
"""What names a server, and whose token is used, in the environment."""
API = "/api/v1"
PATIENCE = 30.0
"""Seconds until a server that is silent is given up."""


class NotKnownError(LaagerError):
    """The server does not know whose token this is."""

    code = Refusal.NOT_YOURS


def tidy_address(address: str) -> str:
    """Return a server's address without what does not belong to it. Raises WrongUseError."""
    parts = urlsplit(address.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise WrongUseError(f"{address!r} isn't a server's address; write it like https://laager.example.org")
    if parts.username or parts.password:
        raise WrongUseError("names and passwords do not belong into the address; use a token")
    path = re.split(r"/(?:api|campaign)(?:/|$)", parts.path)[0].rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


@dataclass
class Connection:
    """The line to one server, with the player's token (kept out of every text)."""

    url: str
    token: str = field(repr=False)
    _client: httpx.Client | None = field(default=None, repr=False)

    def get(self, path: str, **query: Any) -> Any:
        """Look at something."""
        given = {name: value for name, value in query.items() if value not in (None, False, "")}
        return self._json("GET", path, params=given)

    def post(self, path: str, sent: Any = None) -> Any:
        """Change something."""
        return self._json("POST", path, json=sent)

    def put(self, path: str, sent: Any) -> Any:
        """Put something in the place of what there was."""
        return self._json("PUT", path, json=sent)

    def file(self, path: str, **query: Any) -> bytes:
        """Fetch a file."""
        given = {name: value for name, value in query.items() if value not in (None, [])}
        return bytes(self._request("GET", path, params=given).content)

    def _json(self, method: str, path: str, **more: Any) -> Any:
        response = self._request(method, path, **more)
        if response.status_code == 204:
            return None
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise self._stranger() from None

    def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=PATIENCE, headers=self._headers())
            # Hung up when nobody needs the line any more, however the command ends.
            weakref.finalize(self, self._client.close)
        try:
            response = self._client.request(method, f"{self.url}{API}{path}", **more)
        except httpx.TimeoutException:
            raise self._silent(f"was silent for {PATIENCE:.0f} seconds; try again later") from None
        except httpx.ConnectError as err:
            why = "its certificate is not good" if "CERTIFICATE" in str(err) else "nothing answers"
            raise self._silent(f"cannot be reached ({why}); is the address right, and the server running?") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
            raise self._silent("broke off; try again, and look first what was stored") from None
        if response.is_redirect:
            raise self._silent("sends elsewhere; use the address that its pages have")
        if response.status_code >= 400:
            raise self._error_of(response)
        return response

    def _headers(self) -> Mapping[str, str]:
        from laager import __version__

        return {"Authorization": f"Bearer {self.token}", "User-Agent": f"laager/{__version__}"}

    def _silent(self, how: str) -> RefusedError:
        return RefusedError(Refusal.LOCKED, f"the server {self.url} {how}")

    def _stranger(self) -> RefusedError:
        return self._silent("does not answer as a Laager server does; is the address right?")

    def _error_of(self, response: httpx.Response) -> LaagerError:
        """Return what a server refused as what it would be in a file."""
        try:
            refusal = response.json()
            code, text = str(refusal["refused"]), str(refusal["text"])
            problems = [_problem(problem) for problem in refusal.get("problems", ())]
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return self._stranger()
        if response.status_code == 401:
            return NotKnownError(
                f"the server {self.url} does not know your token; make one on its page "
                f"{self.url}/account/tokens/ and give it to: laager login {self.url}"
            )
        known = Refusal(code) if code in set(Refusal) else Refusal.BAD_DATA
        return DataError(problems, known) if problems else RefusedError(known, text)


def _problem(data: Mapping[str, Any]) -> Problem:
    line = data.get("line")
    return Problem(
        str(data["what"]),
        str(data.get("right", "")),
        str(data.get("field", "")),
        line if isinstance(line, int) else None,
        str(data.get("file", "")),
    )


def line_to(url: str, token: str | None) -> Connection:
    """Return the line to a server, with the token given, of the environment, or kept by login.

    Raises NotKnownError if there is none.
    """
    from laager.cli.server.login import kept_token

    known_token = token or os.environ.get(TOKEN, "").strip() or kept_token(url)
    if not known_token:
        raise NotKnownError(
            f"there is no token for {url}; make one on its page {url}/account/tokens/ and give it "
            f"to: laager login {url} (or set {TOKEN})"
        )
    if not re.fullmatch(r"[!-~]{1,200}", known_token):
        raise NotKnownError("this isn't a token: it has spaces or isn't plain text")
    return Connection(url, known_token)


def compact_json(value: Any) -> str:
    """Return a value as one line of JSON, so that it can be compared."""
    return json.dumps(value, sort_keys=True, default=str)
