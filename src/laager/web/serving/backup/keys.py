"""The server's keys in a backup, locked with a pass phrase."""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError

SHORTEST = 12
"""Shortest pass phrase, in letters."""
WORK = {"n": 2**17, "r": 8, "p": 1}
"""What scrypt has to do for a try at a pass phrase: 128 MB of memory and about half a second."""
MOST_WORK = 2**20
LONGEST_FILE = 4096


def read_phrase(source: str) -> str:
    """Return the first line of a file; "-": of a pipe, or what is typed unseen. Raises DataError."""
    if source == "-" and sys.stdin.isatty():
        from getpass import getpass

        phrase = getpass("Pass phrase: ")
    elif source == "-":
        phrase = sys.stdin.readline()
    else:
        try:
            with Path(source).open(encoding="utf-8") as file:
                phrase = file.readline(LONGEST_FILE)
        except (OSError, ValueError):
            raise DataError([Problem("the file with the pass phrase can't be read", file=source)]) from None
    return phrase.rstrip("\r\n")


def check_phrase(phrase: str) -> None:
    """Raise RefusedError for a pass phrase that is too short to lock a key with."""
    if len(phrase) < SHORTEST:
        right = f"choose one with {SHORTEST} letters or more"
        raise RefusedError(Refusal.BAD_ANSWER, "the pass phrase is too short", right)


def lock(keys: list[str], phrase: str) -> dict[str, Any]:
    """Return keys locked with a pass phrase, as JSON."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = os.urandom(16), os.urandom(12)
    data = AESGCM(_derive(phrase, salt, WORK)).encrypt(nonce, json.dumps(keys).encode(), None)
    parts = {"salt": salt, "nonce": nonce, "keys": data}
    return {"scrypt": WORK, "cipher": "AES-256-GCM"} | {k: base64.b64encode(part).decode() for k, part in parts.items()}


def unlock(locked: Any, phrase: str, name: str) -> list[str]:
    """Return what `lock` locked. Raises RefusedError for another pass phrase, DataError for what `lock` didn't make."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        salt, nonce, data = (base64.b64decode(locked[part], validate=True) for part in ("salt", "nonce", "keys"))
        work = {part: int(locked["scrypt"][part]) for part in WORK}
        if work["n"] * work["r"] * work["p"] > MOST_WORK * WORK["r"]:
            raise ValueError("too much work")
        return [str(key) for key in json.loads(AESGCM(_derive(phrase, salt, work)).decrypt(nonce, data, None))]
    except InvalidTag:
        raise RefusedError(Refusal.BAD_ANSWER, "this isn't the pass phrase of this backup", "try another") from None
    except (KeyError, TypeError, ValueError):
        raise DataError([Problem("the key in this backup is damaged", "take another backup", file=name)]) from None


def _derive(phrase: str, salt: bytes, work: dict[str, int]) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, **work).derive(phrase.encode())
