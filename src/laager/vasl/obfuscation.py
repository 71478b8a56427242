"""The veil over a saved game: every byte combined with one key, and written as two digits."""

from __future__ import annotations

from binascii import Error as NotHexError
from binascii import unhexlify

from laager.base import DataError, Problem

HEADER = b"!VCSK"
_KEY = slice(len(HEADER), len(HEADER) + 2)
_GET_ANEW = "get the file again"


def unveil(data: bytes) -> tuple[str, int | None]:
    """Return the text of a saved game, and the key: None if it was plain already.

    What is no UTF-8 is kept as lone surrogates, so that `veil` gives back the same bytes. Raises
    DataError if the veil is damaged; no message repeats anything of the text.
    """
    key: int | None = None
    if data.startswith(HEADER):
        try:
            key = unhexlify(data[_KEY])[0]
            data = unhexlify(data[_KEY.stop :].rstrip())
        except (NotHexError, IndexError):
            problem = Problem("is damaged: not written in pairs of digits", _GET_ANEW)
            raise DataError([problem]) from None
        data = data.translate(_table(key))
    return data.decode("utf-8", "surrogateescape"), key


def veil(text: str, key: int | None) -> bytes:
    """Return what `unveil` reads: plain UTF-8 without a key."""
    data = text.encode("utf-8", "surrogateescape")
    if key is None:
        return data
    return HEADER + f"{key:02x}".encode() + data.translate(_table(key)).hex().encode()


def _table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))
