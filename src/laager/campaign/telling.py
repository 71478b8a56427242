"""The log as lines for people: what happened, with the names that the viewer knows things by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from laager.campaign import sighting, table_dice
from laager.campaign.answer_words import answer_line
from laager.campaign.facts import Side
from laager.campaign.label_lists import add_label, label_holder, list_labels
from laager.campaign.log import FACTS, REQUESTS
from laager.campaign.naming import GivenNames, Namer, namer_of
from laager.campaign.sentences import Names, join_clauses, names_of, people, said_of_many, who_does, with_names
from laager.campaign.speech import ENGLISH, in_words_of_card, note_missing, put, say

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.facts import Fact
    from laager.campaign.log import Entry
    from laager.campaign.views import Seen, View

FOLD_FROM = 13
"""From how many facts under one rule in a row on only the first few and the last are shown."""

SHOWN_OF_FOLDED = 3


@dataclass(frozen=True)
class Told:
    """An entry in words, under the viewer's number; `text` is "" if it only keeps the books.

    Of a fact about a unit or a fortification, `subject` is what players call it, `before` and `what` are the text
    around it, and `tail` is why it happened, and the rule; of a roll, `what` is what it is for. `also` are further
    entries that it tells of.
    """

    number: int
    entry: Entry
    counts: bool
    text: str
    subject: str = ""
    what: str = ""
    tail: str = ""
    before: str = ""
    also: tuple[int, ...] = ()
    who: str = ""
    """What players call the side that rolls or answers, or whose unit it tells of."""
    language: str = ENGLISH

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of all entries that it tells of."""
        return (self.number, *self.also)

    @property
    def last(self) -> int:
        """The number of the last entry that it tells of."""
        return max(self.numbers)

    @property
    def line(self) -> str:
        """The line of the log; what was taken back is crossed."""
        return f"{self.number:>5}{' ' if self.counts else '×'} {self.text}"

    @property
    def like(self) -> tuple[object, ...]:
        """What it has in common with the facts that it may be folded with."""
        if self.entry.type != "fact":
            return (self.number,)
        return self.entry.body["fact"].get("rule", ""), self.counts, self.entry.lane

    def join(self, later: Told) -> Told | None:
        """Return one line for two facts about the same unit; None if they aren't."""
        same = (self.subject, self.like, self.language) == (later.subject, later.like, later.language)
        if not self.subject or self.before or later.before or not same:
            return None
        both = join_clauses(self.what, later.what, language=self.language)
        text = f"   {self.subject} {both}{later.tail}"
        return replace(self, what=both, text=text, tail=later.tail, also=(*self.also, *later.numbers))


@dataclass(frozen=True)
class Telling:
    """What has been told to one viewer: entry by entry, with the state that names are taken from.

    The campaign keeps one for each viewer (`Campaign.tellings`), made of this viewer's log alone.
    """

    log: tuple[Seen, ...]
    lines: tuple[Told, ...]
    state: Any
    named: GivenNames = field(default_factory=dict)
    """The names of units that it uses."""


def goes_on_from(before: Sequence[Seen], log: Sequence[Seen]) -> bool:
    """True if a log begins with the entries of an earlier look at it, and they count as they did."""
    # An entry of a log is made anew if what counts has changed (views.Seat).
    last = len(before)
    return not last or (last <= len(log) and log[last - 1] is before[-1])


@in_words_of_card
def log_in_words(campaign: Campaign, seen_by: View, language: str = ENGLISH) -> list[Told]:
    """Return the whole log of a viewer in words.

    Units are named as the viewer knew them then: the state is folded along with the telling. What
    was told before is not told anew.
    """
    viewer, log = seen_by.eyes, seen_by.log
    before = campaign.tellings.get((viewer, language))
    if before is None or not goes_on_from(before.log, log) or before.named != seen_by.named:
        before = Telling((), (), campaign.ruleset.start(campaign.opening, viewer), seen_by.named)
    if len(before.log) < len(log):
        before = _told_on(campaign, before, log, language)
        campaign.tellings[viewer, language] = before
    return list(before.lines)


def told_since(campaign: Campaign, seen_by: View, earlier: View) -> list[Told]:
    """Return in words what a viewer's log has more than an earlier look at it; nothing older is gone through."""
    log, known = seen_by.log, len(earlier.log)
    before = Telling(earlier.log, (), earlier.state, seen_by.named)
    if earlier.eyes != seen_by.eyes or not goes_on_from(before.log, log):
        return log_in_words(campaign, seen_by)[known:]
    return list(_told_on(campaign, before, log).lines)


def _told_on(campaign: Campaign, before: Telling, log: tuple[Seen, ...], language: str = ENGLISH) -> Telling:
    state = before.state
    teller, english = (_Teller.of(campaign, log, before.named, spoken) for spoken in (language, ENGLISH))
    lines = []
    for seen in log[len(before.log) :]:
        old, fact = state, campaign.fact_of(seen.entry) if seen.entry.type in FACTS else None
        if seen.counts and fact is not None:
            state = fact.apply(state)
        elif seen.counts and seen.entry.type == "done":
            state = campaign.ruleset.step_done(state, seen.entry.body["step"])
        with note_missing() as missed:
            line = teller.tell(seen, fact, (old, state))
        # What isn't known in a language is told in English as a whole, never mixed.
        lines.append(english.tell(seen, fact, (old, state)) if missed else line)
    return Telling(log, before.lines + tuple(lines), state, before.named)


@dataclass(frozen=True)
class _Teller:
    """Tells the entries of a viewer's log in a language."""

    campaign: Campaign
    log: tuple[Seen, ...]
    names: Names
    say_names: Namer
    language: str

    @classmethod
    def of(cls, campaign: Campaign, log: tuple[Seen, ...], named: GivenNames, language: str) -> _Teller:
        """Return who tells a log with a viewer's names for units."""
        names, say_names = names_of(campaign, language), namer_of(campaign.ruleset, named, language)
        return cls(campaign, log, names, say_names, language)

    def tell(self, seen: Seen, fact: Fact | None, states: tuple[Any, Any]) -> Told:
        """Tell an entry, with its fact if it has one, and the states before and after it."""
        entry, names, language = seen.entry, self.names, self.language
        if fact is not None:
            return _name_units(_fact(seen, fact, states, names, language), self.say_names, states)
        who, state = names.get(entry.body.get("side", ""), ""), states[1]
        if entry.type == "named":
            # The name that it had till then is in no state: players' names are not the rules'.
            text = namer_of(self.campaign.ruleset, {}, language)(_naming_line(entry, state, language), state)
            return Told(seen.number, entry, True, text, who=who, language=language)
        text = _other_line(self.campaign, entry, self.log, names, language, state)
        label = with_names(say(entry.body["label"], language), names, language) if entry.type == "roll" else ""
        text, label = self.say_names(text, state), self.say_names(label, state)
        return Told(seen.number, entry, seen.counts, text, what=label, who=who, language=language)


def _name_units(line: Told, say_names: Namer, states: tuple[Any, Any]) -> Told:
    """Return a line with the viewer's own names for units."""
    text = say_names(line.text, *states)
    if text == line.text:
        return line
    subject, predicate, tail, before = (
        say_names(part, *states) for part in (line.subject, line.what, line.tail, line.before)
    )
    group = subject.rpartition(" ")[2]
    if "/" in group and predicate.endswith(f" {group}") and predicate.count(" ") <= 2:
        # Its name says which group it joins.
        predicate = say("joins", line.language)
        text = f"   {subject} {predicate}{tail}"
    return replace(line, text=text, subject=subject, what=predicate, tail=tail, before=before)


def _fact(seen: Seen, fact: Fact, states: Sequence[Any], names: Names, language: str) -> Told:
    text = label_holder(with_names(tell_fact(fact, language), names, language), states)
    subject = _subject(fact)
    for name, label in _labels(fact, states):
        if label not in text:
            # An ID in brackets already stands after its unit's label.
            text = add_label(text, name, label)
        if name in (getattr(fact, "unit", None), getattr(fact, "fort", None)):
            subject = label
    reason = say(label_holder(fact.why, states), language)
    why = f" ({with_names(reason, names, language)})" if fact.why and adds_to(fact) else ""
    tail = f"{why} [{fact.rule}]" if fact.rule else why
    head, middle, rest = text.partition(subject) if subject else ("", "", "")
    parts = (subject, rest.strip(), tail, head.strip()) if middle else ("", "", tail, "")
    whose = names.get(_owner(fact, states), "")
    return Told(seen.number, seen.entry, seen.counts, f"   {text}{tail}", *parts, who=whose, language=language)


def adds_to(fact: Fact) -> bool:
    """True if a fact's reason says more than the fact: `rallies (rallies by itself)` says it twice."""
    return fact.why.removesuffix(" by itself").casefold() not in fact.tell().casefold()


def tell_fact(fact: Fact, language: str) -> str:
    """Return what a fact tells, in a language; of a unit it may tell several things, each of which is a text."""
    text = fact.tell()
    unit = getattr(fact, "unit", None)
    unit = unit if isinstance(unit, str) else str(getattr(unit, "label", ""))
    if not unit or not text.startswith(f"{unit} "):
        return say(text, language)
    with note_missing() as missed:
        whole = say(text, language)
    clauses = text[len(unit) + 1 :].split(", ")
    # A short one, such as `rallies`, passes for a part of the unit's name.
    if language != ENGLISH and not missed and not any(clause in whole for clause in clauses):
        return whole
    return f"{unit} {join_clauses(*(say(clause, language) for clause in clauses), language=language)}"


def _owner(fact: Fact, states: Sequence[Any]) -> Side:
    """Return whose unit or fortification a fact is about; "" if nobody's that the viewer knows."""
    held: Any = getattr(fact, "unit", None) or getattr(fact, "fort", None)
    if isinstance(held, str):
        known = (getattr(state, "units", {}).get(held) for state in states)
        held = next((unit for unit in known if unit is not None), None)
    return str(getattr(held, "side", ""))


def _subject(fact: Fact) -> str:
    """Return what a fact calls the unit or fortification that it holds; "" if it holds none."""
    held = getattr(fact, "unit", None) or getattr(fact, "fort", None)
    return str(getattr(held, "label", ""))


def _labels(fact: Fact, states: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Yield the IDs of units in a fact with what players call them, as far as the viewer knows."""
    # By the names of the fields, because a hex can have the name of a unit.
    named = [value for name, value in fact if "unit" in name or name == "fort"]
    words = {word for value in named for word in _words(value)}
    for word in sorted(words, key=len, reverse=True):
        for state in states:
            held = _known_unit(state, word) or _known_fort(state, word)
            if held is not None:
                yield word, str(getattr(held, "label", word))
                break


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | frozenset):
        yield from (item for item in value if isinstance(item, str))


RULINGS = frozenset({"ruling-asked", "ruling-secret", "ruling-agreed", "ruling-refused", "ruling", "reopened"})
"""The entries of rulings but for their facts."""
PATIENCE_ENTRIES = frozenset({"patience-asked", "patience-refused", "patience", "late"})
"""The entries about the time that a side has."""


def _other_line(
    campaign: Campaign, entry: Entry, log: Sequence[Seen], names: Names, language: str, state: Any = None
) -> str:
    body = entry.body
    match entry.type:
        case "step":
            step = campaign.ruleset.steps.get(body["step"])
            return f"── {body['clause']} {say(step.title, language) if step else body['step']}"
        case "roll":
            return " ".join(filter(None, (f"   {_roll_line(entry, names, language)}", _as_before(entry, language))))
        case "answer":
            called = {**names, **_labels_in(body["value"], state)}
            who, text = who_does(names, body["side"], "answers", language), say(body["text"], language)
            value = answer_line(body["value"], called, language)
            why = _commander_reason(campaign, body)
            looked = say(sighting.los_in_words(body), language)
            value = f"{value}." if value and looked else value
            beside = (looked, table_dice.rolls_in_words(body), _as_before(entry, language), why)
            return " ".join(filter(None, (f"   {who}: {with_names(text, names, language)}", value, *beside)))
        case kind if kind in RULINGS or (kind == "undo" and {"again", "restores"} & set(body)):
            from laager.campaign.ruling_words import ruling_line

            return ruling_line(campaign, entry, log, names, language)
        case "undo" if "corrected" in body:
            return "── " + put("{step} begins again: its rule was corrected", language, step=body["corrected"])
        case "undo":
            who, at = people(names, body["by"], language), number_seen(log, body["to"])
            return "── " + put("taken back to {at} (asked by {who})", language, at=at, who=who)
        case "redo":
            who = people(names, body["by"], language)
            return "── " + put("brought back by {who}", language, who=who)
        case kind if kind in PATIENCE_ENTRIES:
            from laager.campaign.patience_words import patience_line

            return patience_line(entry, names, language)
        case kind if kind in REQUESTS:
            return _request(entry, log, names, language)
        case "revealed":
            shown = "the dice are shown: seed {seed}; check them with laager verify"
            return "── " + put(shown, language, seed=body["seed"])
        case "open":
            begun, proof = "{title}; dice committed to {proof}…", body["dice"]["commitment"][:16]
            from laager.campaign.patience_words import opening_terms
            from laager.campaign.ruling_words import terms_in_words

            terms = (*terms_in_words(body, language), *opening_terms(body, language))
            return "── " + "; ".join((put(begun, language, title=body["title"], proof=proof), *terms))
        case _:
            return ""


def _naming_line(entry: Entry, state: Any, language: str) -> str:
    """Tell how a side calls one of its units from now on."""
    held, name = _known_unit(state, entry.body["unit"]), entry.body["name"]
    label = str(getattr(held, "label", "")) or say("a unit", language)
    if not name:
        return "── " + put("{unit} has no name of its own any more", language, unit=label)
    return "── " + put("{unit} is called {name} from now on", language, unit=label, name=name)


def _known_unit(state: Any, name: str) -> Any:
    return getattr(state, "units", {}).get(name)


def _known_fort(state: Any, name: str) -> Any:
    return getattr(state, "forts", {}).get(name)


def _labels_in(value: Any, state: Any) -> dict[str, str]:
    """Return what units are called whose numbers are in an answer."""
    match value:
        case dict():
            items: Iterable[Any] = value.values()
        case list():
            items = value
        case str() if (held := _known_unit(state, value) or _known_fort(state, value)) is not None:
            return {value: str(getattr(held, "label", value))}
        case _:
            return {}
    return {name: label for item in items for name, label in _labels_in(item, state).items()}


def _as_before(entry: Entry, language: str) -> str:
    """Return the remark that an answer or a roll came again after a ruling; "" if it didn't."""
    return say("(as before the ruling)", language) if entry.body.get("again") else ""


def _request(entry: Entry, log: Sequence[Seen], names: Names, language: str) -> str:
    """Tell what one side asks of the other, or that it is refused or withdrawn."""
    body = entry.body
    who = body["by"]
    match entry.type:
        case "undo-asked":
            asks, at = who_does(names, who, "asks", language), number_seen(log, body["to"])
            return "── " + put("{asks} to take back to {at}", language, asks=asks, at=at)
        case "redo-asked":
            return "── " + put(
                "{asks} to bring back what was taken back", language, asks=who_does(names, who, "asks", language)
            )
        case "end-asked":
            return "── " + put("{proposes} a draw", language, proposes=who_does(names, who, "proposes", language))
        case "settle-asked":
            settles = "{asks} to have this battle settled by the model"
            return "── " + put(settles, language, asks=who_does(names, who, "asks", language))
    wishes = {
        "undo": "to take back", "redo": "to bring back", "end": "to draw", "settle": "to settle the battle"
    }  # fmt: skip
    wish = say(wishes[entry.type.partition("-")[0]], language)
    if body.get("withdrawn"):
        withdraws = who_does(names, who, "withdraws", language)
        return "── " + put("{withdraws} the wish {wish}", language, withdraws=withdraws, wish=wish)
    return f"── {who_does(names, who, 'refuses', language)} {wish}"


def number_seen(log: Sequence[Seen], real: int) -> int:
    """Return the viewer's number of the last entry up to a real number, which may be hidden."""
    return max((seen.number for seen in log if seen.entry.number <= real), default=1)


def _roll_line(entry: Entry, names: Names, language: str) -> str:
    from laager.campaign.rolls import rolled_of

    body = entry.body
    return put(
        "{rolls} {dice} for {label}: {rolled}",
        language,
        rolls=who_does(names, body["side"], "rolls", language),
        dice=body["dice"],
        label=with_names(say(body["label"], language), names, language),
        rolled=say(str(rolled_of(entry)), language),
    )


def _commander_reason(campaign: Campaign, body: Mapping[str, Any]) -> str:
    """Return the reason that a commander gave, shown when the campaign is over; "" before, or if it said nothing."""
    said = body.get("commander")
    if not said or not campaign.over:
        return ""
    return f"({said['name']}: {' '.join(said[part] for part in ('why', 'orders') if part in said)})".replace(": )", ")")


def lines_of(items: Iterable[Told], full: bool = False) -> list[str]:
    """Return the lines of a log; unless `full`, facts about one unit and like facts are joined, long runs folded.

    Steps under which the viewer sees nothing are left out then, too, and of long lists of Locations the rest.
    """
    spoken = [line for line in items if line.text]
    if full:
        return [line.line for line in spoken]
    lines: list[str] = []
    for _, run in groupby(_with_content(spoken), key=lambda line: line.like):
        short = join_alike(list(run))
        if len(short) < FOLD_FROM:
            lines += [brief(line.line) for line in short]
            continue
        first, last = short[:SHOWN_OF_FOLDED], short[-1]
        hidden = short[SHOWN_OF_FOLDED:-1]
        more = f"{len(hidden)} more like these, entries {hidden[0].number} to {last.number - 1}"
        lines += [brief(line.line) for line in first]
        lines += [f"    …     {more} (laager log --full)", brief(last.line)]
    return lines


def join_alike(run: Sequence[Told]) -> list[Told]:
    """Return lines that are alike as fewer ones: all about a unit in one, then units of whom the same is told in one.

    `run` are lines with the same `like`.
    """
    by_words: dict[tuple[object, ...], list[Told]] = {}
    for line in _about_one_unit(run):
        key = (line.who, line.before, line.what, line.tail) if line.subject else (line.number,)
        by_words.setdefault(key, []).append(line)
    return [_merge_subjects(run_of_same) for run_of_same in by_words.values()]


def _about_one_unit(run: Sequence[Told]) -> Iterator[Told]:
    """Join neighbouring facts about the same unit into one line."""
    held: Told | None = None
    for line in run:
        both = held.join(line) if held else None
        if held is not None and both is None:
            yield held
        held = both or line
    if held is not None:
        yield held


def _merge_subjects(lines: Sequence[Told]) -> Told:
    """Return one line for several that differ in their subject only: `2 x 4-6-7 (AX1, AX2) are now in M3`."""
    first = lines[0]
    if len(lines) == 1:
        return first
    subjects = list_labels(line.subject for line in lines)
    predicate = first.what if first.before else said_of_many(first.what, first.language)
    text = f"{first.before} {subjects} {predicate}".lstrip().replace(" ,", ",")
    also = tuple(number for line in lines for number in line.numbers)[1:]
    return replace(first, text=f"   {text.rstrip()}{first.tail}", subject=subjects, what=predicate, also=also)


MOST_LISTED = 12
"""Of a longer list of Locations a line shows the first ones only; `laager why` shows all."""

_LOCATION = r"[A-Z]{1,2}-?\d{1,2}(?:\.\w+)?"
# Units in brackets are not meant, though their ids look like hexes; nor the rest of a list that has begun with others.
_LONG = re.compile(
    rf"(?<![\w(/])(?<!, )((?:{_LOCATION}, ){{{MOST_LISTED - 4}}})((?:{_LOCATION}, ){{4,}}){_LOCATION}(?![\w/])"
)


def brief(text: str) -> str:
    """Return a line with long lists of Locations cut short: `N2, N3, … and 220 more`."""
    return _LONG.sub(lambda match: f"{match[1]}… and {match[2].count(',') + 1} more", text)


def _with_content(spoken: Sequence[Told]) -> Iterator[Told]:
    """Leave out the headings of steps under which the viewer sees nothing, except the last."""
    for i, line in enumerate(spoken):
        follows = spoken[i + 1] if i + 1 < len(spoken) else None
        if line.entry.type == "step" and follows is not None and follows.entry.type == "step":
            continue
        yield line
