"""JSON as it is taken: only what is JSON, not nested without end, and text that is text."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, NoReturn

from django.http import HttpRequest
from ninja import Path
from ninja.parser import Parser

DEEPEST = 40
"""How deep lists and objects may lie in one another; answers to questions need six."""


class StrictParser(Parser):
    """Reads the bodies of requests. Raises ValueError with a sentence for people."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the value that was sent."""
        try:
            value = json.loads(request.body, parse_constant=_no_number)
        except RecursionError:
            raise ValueError("the JSON is nested too deep") from None
        except ValueError as err:
            raise ValueError(f"this is not JSON: {err}") from None
        check(value)
        return value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that aren't text, and that no database stores."""


def check(value: Any) -> None:
    """Raise ValueError if a value is nested too deep, or holds invalid text."""
    beneath = [(value, 0)]
    while beneath:
        nested, depth = beneath.pop()
        if depth > DEEPEST:
            raise ValueError(f"the JSON is nested more than {DEEPEST} deep")
        match nested:
            case str():
                if NO_TEXT.search(nested):
                    raise ValueError("a text holds characters that are not text")
            case dict():
                beneath += [(part, depth + 1) for pair in nested.items() for part in pair]
            case list():
                beneath += [(part, depth + 1) for part in nested]


Row = Annotated[int, Path(ge=1, le=2**63 - 1)]
