"""Words that templates may use; they are known in every template."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from django import template
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from laager.base import Problem
from laager.web.shared.forms.field_names import without_field_names
from laager.web.shared.forms.kind_names import kind_in_words
from laager.web.shared.forms.sayings import cure_in_words, field_in_words, in_words, without_commands
from laager.web.shared.names import RulesByHouse, commander_name, side_name
from laager.web.shared.translation import UNIT_NUMBER, translate

if TYPE_CHECKING:
    from laager.campaign import RulesIndex

register = template.Library()

register.filter("side_name", side_name)
register.filter("commander_words", commander_name)
register.filter("in_words", in_words)
register.filter("kind_in_words", kind_in_words)
register.filter("without_commands", without_commands)
register.filter("without_field_names", without_field_names)
register.filter("say", translate)

_VALUES = re.compile(r"(?<![\w-])(?:\d{4}-)?\d{1,2}(?:-\d{1,2}){1,2}(?![\w-])")
"""What a unit is called by, `8-0`, `4-6-7`, and dates, `1943-07-12`."""


@register.filter
def problem_in_words(problem: Any) -> str:
    """Return a problem in the reader's language, its place in words: no path of a file, and no command."""
    if not isinstance(problem, Problem):
        return translate(problem)
    line = gettext("line %(line)s") % {"line": problem.line} if problem.line else ""
    place = translate(problem.place) if problem.place else field_in_words(problem.field, problem.steps)
    # A cure that is a command only leaves nothing but what is wrong.
    text = "; ".join(filter(None, (problem.what, cure_in_words(problem))))
    said = translate(without_commands(text) or problem.what)
    return ": ".join(filter(None, (", ".join(filter(None, (problem.file, line))), place, said)))


@register.filter
def unit_number(text: str) -> str:
    """Return the number of the unit that a text of the rules names first; "" if it names none."""
    match = UNIT_NUMBER.search(str(text))
    return match[1] if match else ""


@register.filter
def unbroken(text: Any) -> SafeString:
    """Return a text, escaped, in which no line ends within what a unit is called by, `8-0`, or within a date.

    Markup does it, so that who searches or copies finds the plain hyphen.
    """
    # Escaped before; what is found and put around it has nothing to escape.
    return mark_safe(_VALUES.sub(r'<span class="whole">\g<0></span>', conditional_escape(text)))


@register.simple_tag
def counter(face: str, letter: str = "", states: Iterable[str] = ()) -> SafeString:
    """Return a counter by its face; nothing without one. The page must have its symbols."""
    from laager.web.shared.counters import draw_for_page

    return draw_for_page(face, letter, states) if face else SafeString("")


@register.filter
def moment(text: str) -> Any:
    """Return the time that an entry of a log carries, for Django's `date` filter."""
    try:
        return timezone.localtime(datetime.fromisoformat(text))
    except ValueError:
        return text


@cache
def _clauses(ruleset: str) -> RulesIndex:
    # Kept: a page has hundreds of links, and what is installed is looked up in the file system.
    from laager.campaign import RulesIndex
    from laager.campaign.ruleset import find_package

    return RulesIndex.load_packaged(find_package(ruleset))


@register.filter
def rule_link(clause: str, ruleset: str) -> SafeString:
    """Return a clause as a link to the rules reference; as it is, if it names no clause."""
    from django.urls import NoReverseMatch, reverse

    if clause in _clauses(str(ruleset)):
        with suppress(NoReverseMatch):
            address = reverse("clause", args=[ruleset, clause])
            link = format_html('<a class="rule" href="{}">{}</a>', address, clause)
            return format_html("{}{}", link, _house_mark(clause, ruleset))
    return format_html('<span class="rule">{}</span>', clause)


@register.filter
def with_rule_linked(text: str, ruleset: str) -> SafeString:
    """Return a line of the log with the rule at its end, `the weather is Mud [PL 2.2]`, as a link to it."""
    said, mark, clause = str(text).rpartition(" [")
    if not (mark and clause.endswith("]") and clause[:-1] in _clauses(str(ruleset))):
        return unbroken(text)
    return format_html("{} {}", unbroken(said), rule_link(clause[:-1], ruleset))


def _house_mark(clause: str, ruleset: str) -> SafeString:
    """Return the mark of a clause that the campaign of a page plays differently; nothing for others."""
    changed = ruleset.house.changed_for(clause) if isinstance(ruleset, RulesByHouse) else ()
    if not changed or not isinstance(ruleset, RulesByHouse):
        return SafeString()
    return format_html(
        ' <a class="rule house-rule" href="{}#house" title="{}">{}</a>',
        ruleset.address,
        ruleset.house.reason(changed[0]),
        gettext("house rule"),
    )


@register.filter
def with_sign(number: int) -> str:
    """Return a modifier with its sign, as tables print it."""
    return f"{number:+d}" if number else "±0"


@register.filter
def plain_number(number: float) -> str:
    """Return a number as programs write it, whatever the reader's language."""
    return f"{number:g}"


@register.filter
def item(data: Any, key: str) -> Any:
    """Return what a mapping has under a key that isn't a name; "" if it has none."""
    return data.get(key, "")
