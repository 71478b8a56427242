"""Reads a page's form as a browser does, so that tests send what a browser would send."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Control:
    """A field of a form: what it would send, if anything."""

    name: str
    value: str
    sent: bool = True
    kind: str = ""


@dataclass
class PageForm:
    """A form: its successful controls in order, and its buttons by value."""

    id: str
    action: str
    method: str = "get"
    controls: list[Control] = field(default_factory=list)
    buttons: list[str] = field(default_factory=list)

    @property
    def data(self) -> dict[str, list[str]]:
        """What is sent if it is sent as it stands."""
        found: dict[str, list[str]] = {}
        for control in self.controls:
            if control.sent and control.name:
                found.setdefault(control.name, []).append(control.value)
        return found


class _Reader(HTMLParser):
    """Collects forms; what lies in a `template` is not in the page yet."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[PageForm] = []
        self._templates = 0
        self._area: Control | None = None
        self._select: tuple[str, list[Control]] | None = None
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._templates += 1
        if self._templates:
            return
        if tag == "form":
            self.forms.append(PageForm(at.get("id", ""), at.get("action", ""), at.get("method", "get")))
            self._open = True
        if not self._open:
            return
        form = self.forms[-1]
        if tag == "input":
            kind = at.get("type", "text")
            boxed = kind in {"checkbox", "radio"}
            sent = "disabled" not in at and (not boxed or "checked" in at)
            form.controls.append(Control(at.get("name", ""), at.get("value", ""), sent, kind))
        elif tag == "textarea":
            self._area = Control(at.get("name", ""), "")
            form.controls.append(self._area)
        elif tag == "select":
            self._select = (at.get("name", ""), [])
        elif tag == "option" and self._select is not None:
            chosen = Control(self._select[0], at.get("value", ""), "selected" in at)
            chosen.sent = chosen.sent and "disabled" not in at
            self._select[1].append(chosen)
        elif tag == "button":
            form.buttons.append(at.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._templates -= 1
        elif tag == "form":
            self._open = False
        elif tag == "textarea" and self._area is not None:
            # The newline behind the tag is not part of the text.
            self._area.value = self._area.value.removeprefix("\n").replace("\n", "\r\n")
            self._area = None
        elif tag == "select" and self._select is not None:
            chosen = [one for one in self._select[1] if one.sent]
            first = self._select[1][:1]
            self.forms[-1].controls += chosen[-1:] or [Control(one.name, one.value) for one in first]
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area.value += data


def forms_of(page: bytes | str) -> list[PageForm]:
    """Return the forms of a page."""
    reader = _Reader()
    reader.feed(page.decode() if isinstance(page, bytes) else page)
    return reader.forms


def ask_form(page: bytes | str) -> PageForm:
    """Return the form in which a question is answered."""
    return next(form for form in forms_of(page) if form.id == "ask")
