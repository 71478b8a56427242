"""Keeping the tokens for servers: in a file that nobody else may read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from laager.base import Refusal, RefusedError, disk
from laager.cli.out import complain, say, show_json

LONGEST = 2**20


def login(address: str, token: str | None, as_json: bool) -> None:
    """Take a token, try it, and keep it. It is asked for unless given; a pipe may hold it."""
    from laager.cli.server.line import TOKEN, line_to, tidy_address

    url = tidy_address(address)
    given = token or os.environ.get(TOKEN, "").strip() or _read_token(url)
    me = line_to(url, given).get("/me")
    _keep({**_all(), url: given})
    if as_json:
        show_json({"server": url, "username": me["username"], "version": me["version"]})
        return
    if url.startswith("http:") and urlsplit(url).hostname not in {"localhost", "127.0.0.1", "::1"}:
        complain("", ["note: this server is reached without encryption; others can read along"])
    say(
        f"{url}: you are {me['username']}; your token is kept in {_file()}", f"go on with: laager --server {url} status"
    )


def logout(address: str, as_json: bool) -> None:
    """Forget the token for a server."""
    from laager.cli.server.line import tidy_address

    url = tidy_address(address)
    known = dict(_all())
    if known.pop(url, None) is None:
        raise RefusedError(Refusal.NO_SUCH, f"no token for {url} is kept here")
    _keep(known)
    if as_json:
        show_json({"server": url})
    else:
        say(f"forgotten; on the page {url}/account/tokens/ the token can be withdrawn for good")


def kept_token(url: str) -> str:
    """Return the token that is kept for a server; "" if there is none."""
    return _all().get(url, "")


def _read_token(url: str) -> str:
    """Return the token that is typed, or the first line of a pipe. Raises RefusedError if there is none."""
    if sys.stdin.isatty():
        from getpass import getpass

        say(f"Make a token on the page {url}/account/tokens/ and paste it here; it is not shown.")
        token = getpass("Token: ").strip()
    else:
        token = sys.stdin.readline().strip()
    if not token:
        right = f"make a token on {url}/account/tokens/ and paste it, pipe it in, or set LAAGER_TOKEN"
        raise RefusedError(Refusal.BAD_ANSWER, "no token was given", right)
    return token


def _file() -> Path:
    import typer

    base = os.environ.get("XDG_CONFIG_HOME", "").strip()
    folder = Path(base) / "laager" if base else Path(typer.get_app_dir("laager"))
    return folder / "servers.json"


def _all() -> Mapping[str, str]:
    try:
        text = _file().read_text(encoding="utf-8")[:LONGEST]
        tokens = json.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        tokens = None
    if not isinstance(tokens, dict):
        raise RefusedError(Refusal.BAD_DATA, f"{_file()} cannot be read", "remove it, and run laager login again")
    return {str(url): str(token) for url, token in tokens.items()}


def _keep(tokens: Mapping[str, str]) -> None:
    """Write the file anew, readable by its owner alone; the old one stands until it is whole."""
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    disk.replace(path, json.dumps(tokens, indent=2).encode(), private=True)
