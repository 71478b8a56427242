"""Forms as widgets: what a page shows for each part of a question, with what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

from django.utils.translation import gettext

from laager.base import Problem
from laager.base.files import Where
from laager.campaign import Choice, Field, Form, Number, Option, Record, Rows, Several, ShopLine, Text, Ware, YesNo
from laager.campaign.wording import option_title
from laager.web.shared.forms.data import (
    MISSING,
    NONE,
    ROOT,
    count_of_row,
    field_value,
    is_row_of,
    new_row,
    part_name,
    says_none,
    scalar_text,
    several,
)
from laager.web.shared.translation import translate

FEW = 8
"""Most options that are shown at once, one below the other."""

A_MENU = 40
"""Most options of a menu; more are searched by typing."""

MOST_IN_ROWS = 1500
"""With more options than this in all rows together, the rows share one list of options."""

LONG_TEXT = 200
"""From this limit on a text has more than one line."""

BLANK = "__"
"""Stands for the name of the row in the empty row that scripts copy."""

HEXES = re.compile(r"^(at|hex|hexes|to|from|way|location|first|second|corner|opposite|objective)$")
"""The names of text fields in which hexes or Locations are written."""


@dataclass(frozen=True)
class OptionView:
    """An option as it is shown."""

    value: str
    title: str
    why_not: str = ""
    chosen: bool = False

    @property
    def name(self) -> str:
        """What it is called, without prices and the like: they stand behind a colon."""
        return self.title.partition(": ")[0]


@dataclass(frozen=True)
class ShopCell:
    """One way to buy a line of a shop: its price, why it can't be bought, how many are in the cart.

    `row` is what a row of the answer holds for it, as JSON for scripts and `query` as a query for buttons.
    """

    row: str
    query: str
    way: str
    price: str
    why_not: str
    count: int


@dataclass(frozen=True)
class ShopLineView:
    """A line of a shop; `cells` has None for a way in which it can't be bought, `left` "" without a limit."""

    value: str
    name: str
    why_not: str
    left: str
    cells: tuple[ShopCell | None, ...]
    looks: tuple[tuple[str, ...], ...] = ()
    """What the counters in one show."""


@dataclass(frozen=True)
class ShopView:
    """What can be bought, as a table with a column for each way; `barred` is what can't be bought now at all."""

    ways: tuple[str, ...]
    lines: tuple[ShopLineView, ...]
    barred: tuple[ShopLineView, ...]
    limited: bool
    """True if a line has a limit."""

    @property
    def named_ways(self) -> bool:
        """True if a line can be bought in more than one way, or in one that has a name."""
        return any(self.ways)


@dataclass(frozen=True)
class Widget:
    """A part of a form: how it is asked (`kind`), by which name, and what stands in it.

    `path` is where problems find it; `text` what stands in a single field, `chosen` what is
    chosen of several; `parts` the fields of a record, `rows` the rows of a list.
    """

    kind: str
    name: str
    path: str
    label: str
    required: bool = True
    help: str = ""
    text: str = ""
    options: tuple[OptionView, ...] = ()
    shared: str = ""
    """The id of the list of options that all rows share."""
    note: str = ""
    """What is known of the thing that is named in the field."""
    low: int = 0
    high: int = 0
    parts: tuple[Widget, ...] = ()
    rows: tuple[Widget, ...] = ()
    blank: Widget | None = None
    key: str = ""
    steps: str = ""
    """The way to a row or a list, for the buttons that add and strike."""
    problems: tuple[str, ...] = ()
    cost: int | None = None
    """What a row uses up, if it can be worked out."""
    hexes: bool = False
    third: bool = False
    """True if an empty text must be chosen expressly (`forms.NONE`)."""
    brief: bool = False
    """True if options are named only; what more there is to say of them stands in the shop."""
    shop: ShopView | None = None
    """What can be bought, where its rows are a cart that is filled from a shop."""
    only_for: str = ""
    """For which values of the first field of its row it means something, as a JSON list; "" for all."""

    @property
    def id(self) -> str:
        """The id of the control: of its name only what ids may hold."""
        return "f-" + re.sub(r"[^A-Za-z0-9_-]", "-", self.name)

    @property
    def leaf(self) -> str:
        """The name of the field alone."""
        return self.path.rpartition(".")[2]

    @property
    def chosen_options(self) -> tuple[OptionView, ...]:
        """The options that are chosen."""
        return tuple(option for option in self.options if option.chosen)

    @property
    def free(self) -> tuple[OptionView, ...]:
        """The options that can be chosen now."""
        return tuple(option for option in self.options if not option.why_not)

    @property
    def barred_options(self) -> tuple[OptionView, ...]:
        """The options that cannot be chosen now, with why not."""
        return tuple(option for option in self.options if option.why_not)

    @property
    def empty(self) -> bool:
        """True if nothing stands in it, as in the spare rows of a file's part."""
        return not self.text and not self.chosen_options and all(part.empty for part in (*self.parts, *self.rows))

    @property
    def filled(self) -> int:
        """How many of its rows hold something."""
        return sum(not row.empty for row in self.rows)

    @property
    def simple_row(self) -> bool:
        """True if its rows can stand in a table: no field of them is a list or a record."""
        fields = self.blank.parts if self.blank else ()
        return all(part.kind not in {"record", "rows"} for part in fields)


@dataclass(frozen=True)
class Making:
    """What is needed to make widgets: what names mean to the viewer, and what is wrong where."""

    names: Mapping[str, str] = field(default_factory=dict)
    """What players call the things that have an ID."""
    cart: bool = False
    offers: Sequence[ShopLine] = ()
    """What can be bought as it stands now."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """What fields mean, by path."""

    def widget(self, form: Form, value: Any, label: str = "", name: str = ROOT, steps: str = "") -> Widget:
        """Return the widget of a whole answer, or of a form of another name; its buttons begin with `steps`."""
        return self._of(form, value, _Place(name, "", label, steps, True, 0))

    def _of(self, form: Form, value: Any, at: _Place) -> Widget:
        base = Widget("text", at.name, at.path, at.label, at.required, self.helps.get(at.path, ""), steps=at.steps)
        match form:
            case Record():
                fields = value if isinstance(value, Mapping) else {}
                parts = tuple(self._field(part, fields, at) for part in form.fields)
                return replace(base, kind="record", parts=parts)
            case Rows():
                return self._rows(form, value, base, at)
            case Several():
                return self._several(form, value, base, at)
            case Choice():
                return self._choice(form, value, base, at)
            case YesNo():
                return _yes_no(value, base, at)
            case Number():
                return replace(base, kind="number", text=scalar_text(value), low=form.low,
                               high=form.high)  # fmt: skip
            case _:
                return self._text(form, value, base, at)

    def _field(self, part: Field, fields: Mapping[str, Any], at: _Place) -> Widget:
        inner = _Place(
            part_name(at.name, part.name),
            f"{at.path}.{part.name}" if at.path else part.name,
            translate(part.label or part.name.replace("_", " ").capitalize()),
            _step(at.steps, part.name),
            part.required,
            at.in_rows,
            shared_name=f"{at.shared_name}.{part.name}",
            third=says_none(part) or _open_yes_no(part),
        )
        made = self._of(part.form, field_value(part, fields), inner)
        return replace(made, only_for=json.dumps(sorted(part.only_for))) if part.only_for is not None else made

    def _rows(self, form: Rows, value: Any, base: Widget, at: _Place) -> Widget:
        values = list(value) if isinstance(value, list | tuple) else []
        many = max(1, len(values)) * max(1, at.in_rows)
        rows = tuple(self._row(form, row, at, str(i), many) for i, row in enumerate(values))
        blank = self._row(form, new_row(form.row), at, BLANK, many)
        first = form.row.fields[0].form if form.row.fields else None
        offered = self.cart and isinstance(first, Choice) and len(first.options) > 1
        base = replace(base, kind="rows", rows=rows, blank=blank, high=form.most)
        return replace(base, shop=_shop_view(form, values, self.offers)) if offered else base

    def _row(self, form: Rows, row: Any, at: _Place, key: str, many: int) -> Widget:
        number = int(key) + 1 if key.isdigit() else 0
        inner = _Place(
            part_name(at.name, key),
            f"{at.path}[{number}]",
            str(number or ""),
            _step(at.steps, key),
            True,
            many,
            shared_name=at.shared_name or at.name,
        )
        return replace(self._of(form.row, row, inner), key=key)

    def _several(self, form: Several, value: Any, base: Widget, at: _Place) -> Widget:
        chosen = [str(item) for item in several(value)]
        options = _options_in_order(form.options, chosen)
        if at.third:
            none = OptionView(NONE, gettext("none of these"), chosen=value in ([], ()))
            options, chosen = (none, *options), chosen or [NONE] * none.chosen
        commas = any("," in option.value for option in form.options)
        shared = at.in_rows and at.in_rows * len(options) > MOST_IN_ROWS // 3 and not commas
        base = replace(base, options=options, low=form.least,
                       high=min(form.most, len(form.options)))  # fmt: skip
        if not shared:
            return replace(base, kind="several")
        return replace(base, kind="words", text=", ".join(chosen), shared=at.shared_id)

    def _choice(self, form: Choice, value: Any, base: Widget, at: _Place) -> Widget:
        text = scalar_text(value)
        options = _options_in_order(form.options, [text] if value is not None else [], keep=True)
        many = max(1, at.in_rows) * len(options)
        if not at.in_rows and len(options) <= FEW:
            kind = "radio"
        elif len(options) <= FEW or (len(options) <= A_MENU and many <= MOST_IN_ROWS):
            kind = "select"
        else:
            kind = "search"
        title = next((option.title for option in options if option.value == text), "")
        return replace(base, kind=kind, text=text, options=options, shared=at.shared_id,
                       brief=self.cart and bool(at.in_rows),
                       note="" if title == text else title)  # fmt: skip

    def _text(self, form: Form, value: Any, base: Widget, at: _Place) -> Widget:
        text = NONE if value == "" and at.third else scalar_text(value)
        base = replace(base, third=at.third)
        limit = form.limit if isinstance(form, Text) else 0
        long = limit >= LONG_TEXT or "\n" in text
        base = replace(base, note=self.names.get(text, ""), hexes=bool(HEXES.match(base.leaf)))
        return replace(base, kind="area" if long else "text", text=text, high=limit)


@dataclass(frozen=True)
class _Place:
    """Where in a form a widget stands; `in_rows` of how many rows it is part, 0 for none."""

    name: str
    path: str
    label: str
    steps: str
    required: bool
    in_rows: int
    shared_name: str = ""
    third: bool = False
    """True if leaving it open is an answer of its own: neither yes nor no, not even nothing."""

    @property
    def shared_id(self) -> str:
        return "l-" + re.sub(r"[^A-Za-z0-9_-]", "-", self.shared_name or self.name)


def _open_yes_no(part: Field) -> bool:
    """True if neither yes nor no is an answer, too."""
    return isinstance(part.form, YesNo) and not part.required and not isinstance(part.default, bool)


def _shop_view(form: Rows, rows: Sequence[Any], offers: Sequence[ShopLine]) -> ShopView:
    """Return the shop that fills the rows of a cart; without offers each option of the first field is a line."""
    first = form.row.fields[0]
    choice = first.form if isinstance(first.form, Choice) else Choice(())
    offers = [offer for offer in offers if all(first.name in ware.row for ware in offer.wares)]
    offers = offers or [_plain_offer(first.name, option) for option in choice.options]
    ways = tuple(dict.fromkeys(ware.way for offer in offers for ware in offer.wares))
    never = {option.value for option in choice.options if option.why_not}
    lines = {offer.value: _shop_line(offer, ways, rows) for offer in offers}
    barred = {offer.value for offer in offers if all(ware.row.get(first.name) in never for ware in offer.wares)}
    why_not = {offer.value: translate(offer.why_not) for offer in offers}
    return ShopView(
        tuple(map(translate, ways)),
        tuple(line for value, line in lines.items() if value not in barred),
        tuple(replace(line, why_not=why_not[value]) for value, line in lines.items() if value in barred),
        any(offer.left is not None for offer in offers),
    )


def _plain_offer(name: str, option: Option) -> ShopLine:
    title, _colon, price = option_title(option).partition(": ")
    ware = Ware({name: option.value}, "", price, option.why_not)
    return ShopLine(option.value, option.label, option.why_not, title, (ware,), barred=option.why_not)


def _shop_line(offer: ShopLine, ways: Sequence[str], rows: Sequence[Any]) -> ShopLineView:
    cells = {ware.way: _shop_cell(ware, rows) for ware in offer.wares}
    left = "" if offer.left is None else str(offer.left)
    name = offer.name if offer.value in offer.name else f"{offer.value}  {offer.name}"
    return ShopLineView(
        offer.value, translate(name), translate(offer.barred), left, tuple(cells.get(way) for way in ways), offer.looks
    )


def _shop_cell(ware: Ware, rows: Sequence[Any]) -> ShopCell:
    row, query = json.dumps(dict(ware.row)), urlencode(ware.row)
    count = sum(count_of_row(bought) for bought in rows if is_row_of(bought, ware.row))
    return ShopCell(row, query, translate(ware.way), ware.price, translate(ware.why_not), count)


def _yes_no(value: Any, base: Widget, at: _Place) -> Widget:
    text = scalar_text(value)
    if not at.third:
        return replace(base, kind="check" if at.in_rows else "yes-no", text=text)
    words = {"": "–", "yes": gettext("yes"), "no": gettext("no")}
    options = tuple(OptionView(value, word, chosen=value == text) for value, word in words.items())
    return replace(base, kind="select", text=text, options=options)


def _step(steps: str, name: str) -> str:
    """Return the way one step on, as it stands in the buttons of a form."""
    step = quote(name, safe="")
    return f"{steps}/{step}" if steps else step


def _option_view(option: Option, chosen: bool = False) -> OptionView:
    return OptionView(option.value, translate(option_title(option)), translate(option.why_not), chosen)


def _options_in_order(options: Sequence[Option], chosen: Sequence[str], keep: bool = False
             ) -> tuple[OptionView, ...]:  # fmt: skip
    """Return the options; unless `keep`, what is chosen first if it is in another order."""
    shown = [_option_view(option, option.value in chosen) for option in options]
    known = [option.value for option in shown]
    # What cannot be chosen any more, or never could, is still what stands there.
    shown += [OptionView(text, text, chosen=True) for text in chosen if text and text not in known]
    order = [option.value for option in shown if option.chosen]
    if keep or order == list(chosen):
        return tuple(shown)
    rank = {value: i for i, value in enumerate(chosen)}
    return tuple(sorted(shown, key=lambda option: rank.get(option.value, len(rank))))


def lists_of(widget: Widget) -> Mapping[str, tuple[OptionView, ...]]:
    """Return the lists of options that widgets share, by id."""
    lists: dict[str, tuple[OptionView, ...]] = {}
    for part in walk_widgets(widget):
        if part.kind in {"search", "words"} and part.shared not in lists:
            lists[part.shared] = tuple(option for option in part.options if not option.why_not)
    return lists


def walk_widgets(widget: Widget) -> Iterator[Widget]:
    """Yield a widget and all within it, empty rows included."""
    yield widget
    for inner in (*widget.parts, *widget.rows, *((widget.blank,) if widget.blank else ())):
        yield from walk_widgets(inner)


# Problems ----------------------------------------------------------------------------------------


def with_problems(widget: Widget, problems: Sequence[Problem]) -> Widget:
    """Return a widget with each problem at the part that it is about, or the nearest around it."""
    paths = {part.path for part in _filled_widgets(widget)}
    placed: dict[str, list[str]] = {}
    for problem in problems:
        home = nearest(problem.field, paths)
        placed.setdefault(home, []).append(_sentence(problem, home))
    return _place_problems(widget, placed)


def with_costs(widget: Widget, each: Mapping[str, int]) -> Widget:
    """Return a widget whose rows say what they use up, by their paths."""
    parts = tuple(with_costs(part, each) for part in widget.parts)
    rows = tuple(with_costs(row, each) for row in widget.rows)
    return replace(widget, cost=each.get(widget.path), parts=parts, rows=rows)


def _filled_widgets(widget: Widget) -> Iterator[Widget]:
    yield widget
    for inner in (*widget.parts, *widget.rows):
        yield from _filled_widgets(inner)


def nearest(path: str, known: set[str] | Mapping[str, Any]) -> str:
    """Return the longest beginning of a problem's path that is known; "" for the whole answer."""
    while path and path not in known:
        cut = max(path.rfind("."), path.rfind("["))
        path = path[:cut] if cut > 0 else ""
    return path


def _sentence(problem: Problem, home: str) -> str:
    text = "; ".join(translate(part) for part in (problem.what, problem.right) if part)
    rest = problem.field.removeprefix(home).strip(".")
    return f"{translate(problem.place or rest)}: {text}" if rest else text


def _place_problems(widget: Widget, placed: Mapping[str, Sequence[str]]) -> Widget:
    here = tuple(placed.get(widget.path, ()))
    parts = tuple(_place_problems(part, placed) for part in widget.parts)
    rows = tuple(_place_problems(row, placed) for row in widget.rows)
    return replace(widget, problems=here, parts=parts, rows=rows)


def keys_of_path(path: str) -> Where:
    """Return a problem's path as keys of a document."""
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", path)
    return tuple(name if name else int(number) - 1 for name, number in islice(parts, 40))


def left_open(value: Any) -> bool:
    """True if nothing was answered at all."""
    return value is None or value is MISSING
