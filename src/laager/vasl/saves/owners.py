"""Owners: the one place that holds user ids, which are the players' passwords in clear.

They identify the owner of a hidden piece. Only a number leaves this module: owner 1, owner 2 ...
"""

from __future__ import annotations

import re
from typing import NoReturn

from laager.base import DataError, Problem

MAX_IDS = 40
MASK = "***"
_SHORTEST_REPLACED = 4
"""Ids shorter than this are masked only where they stand as a word of their own."""
_SHORTEST_MASKED = 2
_NOBODY = ("", "null")
_MAX_CHARS = 20_000
"""Longest text that is shown, in characters."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Owners:
    """The users that a save names, without a way to get at their ids."""

    __slots__ = ("__ids", "__numbers")

    def __init__(self) -> None:
        self.__ids: dict[str, None] = {}
        self.__numbers: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"<Owners: {len(self)}>"

    def __len__(self) -> int:
        """Return the number of owners of hidden or concealed pieces."""
        return len(self.__numbers)

    def __contains__(self, user: object) -> bool:
        return user in self.__ids

    def __reduce__(self) -> NoReturn:
        raise TypeError("owners are not written down")

    def keep_secret(self, user: str) -> None:
        """Take note of a user id. Raises DataError if there are too many."""
        if user in _NOBODY:
            return
        self.__ids[user] = None
        if len(self.__ids) > MAX_IDS:
            raise DataError([Problem("names too many users", f"{MAX_IDS} at most")])

    def number(self, user: str) -> int | None:
        """Return the number of an owner, from 1 in the order of asking; None for nobody."""
        if user in _NOBODY:
            return None
        self.keep_secret(user)
        return self.__numbers.setdefault(user, len(self.__numbers) + 1)

    def clean(self, text: str) -> str:
        """Return a text that players can have typed, fit to be shown: user ids are masked."""
        for user in sorted(self.__ids, key=len, reverse=True):
            if user == text.strip():
                return MASK
            if len(user) < _SHORTEST_MASKED or user not in text:
                continue
            if len(user) >= _SHORTEST_REPLACED:
                text = text.replace(user, MASK)
            else:
                text = re.sub(rf"(?<!\w){re.escape(user)}(?!\w)", MASK, text)
        return printable(text)


def printable(text: str) -> str:
    """Return a text without characters that could disturb a terminal or a file."""
    if len(text) > _MAX_CHARS:
        text = text[:_MAX_CHARS] + "…"
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
