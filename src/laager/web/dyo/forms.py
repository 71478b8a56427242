"""What the Design Your Own pages ask: the terms of a purchase, and what a side wishes to buy.

The fields go by their bare names; `laager.web.shared.forms` draws them and reads them back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from django.utils.dates import MONTHS
from django.utils.translation import gettext as _

from laager.base import DataError, Problem, Refusal
from laager.campaign import Choice, Field, Form, Number, Option, Readings, Record, Rows, Several, Text, YesNo
from laager.catalogue.dyo import shipped_nations
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.plan.wishes import Goal
from laager.rules.design_your_own.terms import FIRST_YEAR, LAST_YEAR, MOST_CONTINGENTS, MOST_POINTS, MOST_TURNS, SIDES
from laager.web.shared.forms.data import PLAIN, ROW_BUTTONS, rows_changed, value_of
from laager.web.shared.forms.widgets import Making, Widget
from laager.web.shared.names import side_name
from laager.web.shared.translation import translate

READING = "reading-"
Sent = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class FieldGroup:
    """Some fields of a page with their help, under a heading if they are folded up."""

    form: Record
    helps: Mapping[str, str]
    heading: str = ""

    def changes_rows(self, sent: Sent) -> bool:
        """True if a button for the rows of one of its lists was pressed."""
        action, _colon, rest = "".join(sent.get("do", ())[:1]).partition(":")
        return f"{action}:" in ROW_BUTTONS and rest.partition("/")[0] in {part.name for part in self.form.fields}

    def widget(self, sent: Sent) -> Widget:
        """Return the fields with what was typed into them."""
        value = value_of(self.form, sent, PLAIN) if sent else {}
        if self.changes_rows(sent):
            value = rows_changed(self.form, value, sent["do"][0])
        return Making(helps=self.helps).widget(self.form, value, name=PLAIN)


def read(asked: Sequence[FieldGroup], sent: Sent) -> dict[str, Any]:
    """Return the values of fields. Raises DataError with everything that is wrong with them."""
    if not sent:
        raise DataError([Problem("the form is empty", "fill it in")], Refusal.BAD_ANSWER)
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for group in asked:
        try:
            values |= group.form.parse(value_of(group.form, sent, PLAIN))
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    return values


def terms(own: Mapping[str, str]) -> tuple[FieldGroup, ...]:
    """Return what is asked about terms; `own` are the catalogues in somebody's library, each with its nation."""
    known = (*shipped_nations("house"), *shipped_nations("published"), *own.values())
    nations = tuple(dict.fromkeys(filter(None, known)))
    first = (Option("", "–"), *(Option(side, side_name(side)) for side in SIDES), Option("both", _("both at once")))
    catalogues = (
        Option("house", _("house data")),
        Option("published", _("as published, with gaps")),
        Option("none", _("none")),
    )
    years = tuple(Option(str(year)) for year in range(FIRST_YEAR, LAST_YEAR + 1))
    months = tuple(Option(f"{number:02}", str(name)) for number, name in MONTHS.items())
    overriding = Several(tuple(Option(name) for name in own))
    main = Record(
        (
            *_sides(nations),
            Field("year", Choice(years), _("Year"), "1944"),
            Field("month", Choice(months), _("Month"), "09"),
            Field("title", Text(120), _("Title"), ""),
            Field("open", YesNo(), _("Open purchase: each side sees what the other buys"), False),
            Field("first", Choice(first), _("In an open purchase, who buys first?"), ""),
        )
    )
    more = Record(
        (
            Field("boards", Text(199), _("Boards"), ""),
            Field("theatre", Text(40), _("Theatre"), ""),
            Field("weather", Text(60), _("Weather"), ""),
            Field("catalogue", Choice(catalogues), _("Shipped values"), "house"),
            Field("own", overriding, _("Your own catalogues, which override them"), ()),
        )
    )
    kept = Record(
        (
            Field("name", Text(100), _("Name of the file in your library"), ""),
            Field("over", YesNo(), _("Replace a file of the same name"), False),
        )
    )
    helps = {side: _nations_help() for side in SIDES} | {f"elr-{side}": _("If empty, by the chart.") for side in SIDES}
    helps |= {"boards": "3, 16", "weather": _("If empty, Laager asks for it first.")}
    helps |= {
        "theatre": "norway, burma, north-africa, nw-europe",
        "name": _("If empty, named after nations and month."),
    }
    return (
        FieldGroup(main, helps),
        FieldGroup(more, helps, _("Boards, theatre, weather, catalogue")),
        _agreements(nations),
        _readings(),
        FieldGroup(kept, helps),
    )


def _nations_help() -> str:
    """Say which nations ship, and which of them with prices."""
    priced = shipped_nations("house")
    bare = [name for name in shipped_nations("published") if name not in priced]
    return " ".join(
        (
            _("With house prices: %(nations)s.") % {"nations": ", ".join(map(_nation_name, priced))},
            _("Only what the rules state, the prices are yours to enter: %(nations)s.")
            % {"nations": ", ".join(map(_nation_name, bare))},
        )
    )


def _nation_name(name: str) -> str:
    return translate(name.upper() if name == "gmd" else name.replace("-", " ").capitalize())


def _nation(nations: Sequence[str]) -> Form:
    return Choice(tuple(Option(name, name.replace("-", " ").capitalize()) for name in nations))


def _sides(nations: Sequence[str]) -> list[Field]:
    fields = []
    nation = _nation(nations)
    for side in SIDES:
        name = side_name(side)
        fields.append(Field(side, nation, f"{name}: {_('Nation')}", "german" if side == "axis" else "russian"))
        fields.append(Field(f"points-{side}", Number(1, 20000), f"{name}: {_('Points')}", 1000))
        fields.append(Field(f"elr-{side}", Number(0, 5), f"{name}: ELR", None))
    return fields


AGREED = ("extra_pieces", "any_arrangement")
"""What the rules leave to an agreement."""


def _agreements(nations: Sequence[str]) -> FieldGroup:
    """Return what the players agree on besides: pieces, further nations of a side, squads that enter later."""
    further = Record((Field("nation", _nation(nations), _("Nation")), Field("elr", Number(0, 5), "ELR", None)))
    later = Record(
        (
            Field("turn", Number(1, MOST_TURNS), _("Turn")),
            Field("squads", Number(1, MOST_POINTS), _("Squads")),
            Field("type", Text(40), _("Type"), ""),
        )
    )
    fields = [
        Field("extra_pieces", YesNo(), _("More pieces than one game holds"), False),
        Field("any_arrangement", YesNo(), _("Optional armament in any arrangement"), False),
    ]
    helps = {"extra_pieces": "DYO H1.11", "any_arrangement": "DYO H1.12"}
    for side in SIDES:
        name = side_name(side)
        nations_of, squads_of = f"contingents-{side}", f"reinforcements-{side}"
        fields.append(Field(nations_of, Rows(further, most=MOST_CONTINGENTS), f"{name}: {_('Contingents')}", []))
        fields.append(Field(squads_of, Rows(later, most=20), f"{name}: {_('Reinforcements')}", []))
        helps[nations_of] = _("Further nations that fight on this side. Without an ELR it is that of the chart.")
        helps[squads_of] = _("How many squads enter in which turn. Without a type they are of any type.")
    return FieldGroup(Record(tuple(fields)), helps, _("Agreements, contingents, reinforcements"))


def _readings() -> FieldGroup:
    fields, helps = [], {}
    for reading in Readings.load_packaged(PACKAGE).values():
        usual = Option("", f"{reading.default} ({_('usual')})")
        options = (
            usual,
            *(Option(value, f"{value}: {translate(meaning)}") for value, meaning in reading.options.items()),
        )
        fields.append(Field(READING + reading.id, Choice(options), reading.question, ""))
        helps[READING + reading.id] = f"{reading.rule} {translate(reading.why)} {translate(reading.changes)}"
    return FieldGroup(Record(tuple(fields)), helps, _("How the rules are read where groups differ"))


def wishes() -> FieldGroup:
    """Return what a side is asked that wants a purchase proposed."""
    goals: Form = Choice(tuple(Option(goal) for goal in get_args(Goal)))
    outlook: Form = Choice((Option("expected", _("as expected")), Option("worst", _("the worst"))))
    fields = (
        Field("squads", Text(199), _("Squads"), ""),
        Field("platoons", Text(199), _("AFV"), ""),
        Field("guns", Text(199), _("Guns"), ""),
        Field("oba", Number(0, 40), _("OBA batteries"), 0),
        Field("san", Number(2, 20), _("SAN"), 2),
        Field("reserve", Number(0, 20000), _("Points left over"), 0),
        Field("air", YesNo(), _("Air Support"), False),
        Field("motorized", YesNo(), _("A motorized unit"), False),
        Field("maximise", goals, _("As much as possible of"), "equivalency"),
        Field("outlook", outlook, _("Dice not rolled yet"), "expected"),
    )
    helps = {
        "squads": _("At least this many of a class or better; separate several with commas.") + " `20:first-line`",
        "platoons": _("This many of one type; add the type after a colon."),
    }
    return FieldGroup(Record(fields), helps)
