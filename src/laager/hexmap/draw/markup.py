"""SVG as text: elements, escaped content, short numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

Value = str | float | int

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# What XML 1.0 cannot hold even when escaped: control characters, surrogates, two non-characters.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """Return text fit for content and attributes; what XML cannot hold becomes U+FFFD."""
    return _NO_XML.sub("\ufffd", text).translate(_ESCAPES)


def number(value: float) -> str:
    """Return a number with one decimal at most."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def _attribute(name: str, value: Value) -> str:
    name = name.replace("_", "-")
    content = escape(value) if isinstance(value, str) else f"{value:g}"
    return f' {name}="{content}"'


def tag(name: str, content: str = "", **attributes: Value | None) -> str:
    """Return an element; `content` is markup. `_` in names stands for `-`, None leaves out."""
    head = name + "".join(_attribute(k, v) for k, v in attributes.items() if v is not None)
    return f"<{head}>{content}</{name}>" if content else f"<{head}/>"


def path(d: str, **attributes: Value | None) -> str:
    """Return a path, or nothing if there is nothing to draw."""
    return tag("path", "", d=d, **attributes) if d else ""


def use(symbol: str, x: float, y: float) -> str:
    """Return a symbol placed at a point."""
    return f'<use href="#{symbol}" x="{number(x)}" y="{number(y)}"/>'


def text(x: float, y: float, content: str, **attributes: Value | None) -> str:
    """Return a line of text with its baseline at a point; the content is escaped."""
    opening = f'<text x="{number(x)}" y="{number(y)}"'
    more = "".join(_attribute(k, v) for k, v in attributes.items() if v is not None)
    return f"{opening}{more}>{escape(content)}</text>"


def lettering(x: float, y: float, content: str, size: Value, fill: str, **attributes: Value | None) -> str:
    """Return a bold line of text centred over a point."""
    return text(x, y, content, font_size=size, font_weight="bold", text_anchor="middle", fill=fill, **attributes)


def group(parts: Iterable[str], **attributes: Value | None) -> str:
    """Return a group around its parts, or nothing if it would be empty."""
    content = "".join(parts)
    return tag("g", content, **attributes) if content else ""


def layer(name: str, parts: Iterable[str], **attributes: Value | None) -> str:
    """Return the group `layer-<name>` on a line of its own, or nothing if it would be empty."""
    content = group(parts, id=f"layer-{name}", **attributes)
    return content + "\n" if content else ""
