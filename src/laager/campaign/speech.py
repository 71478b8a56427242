"""What rules say, in the reader's language.

The engine and the rules speak English: questions, refusals and facts are made, stored and compared as English text.
Whoever shows a text asks here for it in another language, when it is shown. The catalogue `locale/` has each text
as the code says it, with its placeholders: `{unit} reveals {location}` for `f"{self.unit} reveals {self.location}"`.
A text is looked up by what stands between the placeholders, and what stands in them is looked up in turn. So old logs
are read in every language. A sentence is translated whole or stays English whole. Terms of the rules stay English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, wraps
from gettext import GNUTranslations, find
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from laager.base.texts import Meanings, Multilingual

P = ParamSpec("P")
T = TypeVar("T")

ENGLISH = "en"
DEEPEST = 6
"""How deep placeholders within placeholders are looked up."""
LONGEST = 6000
"""Longest text that is translated, in characters; rules never say more at a time."""
KEPT = 4000
"""Most texts whose translation is cached."""
KEPT_CARDS = 16
"""Most cards whose own texts are laid over those of the rules and kept."""

SHORT, A_NAME = 12, 5
"""A phrase with fewer fixed letters than `SHORT` has only names in its placeholders, of at most `A_NAME` words."""

FUNCTION_WORDS = frozenset(
    {"a", "and", "at", "by", "for", "from", "has", "in", "is", "of", "on", "or", "the", "to", "with"}
)
"""Where nothing else stands fast in a phrase, its placeholders hold ids, labels or hexes, which have digits."""

PROSE = FUNCTION_WORDS - {"in"} | {
    "are",
    "as",
    "do",
    "does",
    "have",
    "it",
    "its",
    "no",
    "not",
    "that",
    "they",
    "up",
    "what",
    "which",
    "who",
}
"""Words of English prose: a short phrase around them would leave a sentence half translated."""

COUNT = "n"
"""The placeholder of a number, and of nothing else: `{n} groups`."""

PLACE = re.compile(r"\{(\w+)\}")
"""A placeholder in a text of the catalogue."""
_WORD = re.compile(r"[A-Za-z']{2,}")
_SIDE = re.compile(r"axis|allied")
"""A side, as facts call it."""
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"(?<![\w-])[a-z]{3,}\b")
"""A word that is no name, id or hex."""
_SENTENCES = re.compile(r"((?<=[.?!])\s+)")
HINT = "Hint: "
"""What stands before a card's own hint, behind the help of a question."""
MOST_SENTENCES = 20
"""Most sentences of a text that are looked up together."""
_LINES = re.compile(r"(\n+)")
_BREAKS = (
    re.compile(r"((?<=:)\s+)"),
    re.compile(r"((?<=[;)])\s+)"),
    re.compile(r"^([+-]\d+ )(?=\w)"),
    # What a modifier is for can have a comma of its own.
    re.compile(r"(, )(?=[+-]\d+ [\dA-Za-z])"),
    re.compile(r"( \((?:PL|ABtF|ER|HASL|DYO) [^()]*\)$)"),
    re.compile(r"(,\s+|: )"),
    re.compile(r"((?<=\d{4}-\d\d-\d\d) )"),
    re.compile(r"^(\d+ x |\d+ (?=[a-z]+$))"),
    re.compile(r"( )(?=night$)"),
    re.compile(r"( \([a-z]+\)$)"),
    re.compile(r"( \((?:PL|ABtF|ER|HASL|DYO) [^()]*\))"),
    re.compile(r"( = -?\d+$)"),
    re.compile(r"(?<=[a-z.])( -?\d+%?$)"),
    re.compile(r"( [x+/=] )(?=[\d.])"),
)
"""Where a sentence is taken apart that isn't known as a whole; it's translated if all its parts are.

Clauses, a modifier, its reason and its clause, members of a list, a day and its hour, how many of something, a side's
word behind its name, a side's points, the terms of a calculation.
"""


@dataclass(frozen=True)
class Phrase:
    """A text with placeholders, and its translation."""

    literals: tuple[str, ...]
    names: tuple[str, ...]
    meaning: str

    @classmethod
    def of(cls, text: str, meaning: str) -> Phrase:
        """Return the phrase of a text of the catalogue."""
        parts = PLACE.split(text)
        return cls(tuple(parts[::2]), tuple(parts[1::2]), meaning)

    @property
    def weight(self) -> int:
        """How much of it stands fast."""
        return sum(map(len, self.literals))

    @cached_property
    def bare(self) -> bool:
        """True if nothing stands fast in it that is its own."""
        return {word for literal in self.literals for word in _WORD.findall(literal)} <= FUNCTION_WORDS

    @property
    def words(self) -> Iterator[str]:
        """The whole words that each text of this kind has."""
        last = len(self.literals) - 1
        for i, literal in enumerate(self.literals):
            for match in _WORD.finditer(literal):
                whole_before = match.start() > 0 or i == 0
                whole_after = match.end() < len(literal) or i == last
                if whole_before and whole_after:
                    yield match[0]

    def parts_of(self, text: str) -> Mapping[str, str] | None:
        """Return what stands in the placeholders of a text; None if the text isn't of this kind."""
        first, *middle, last = self.literals
        if not (len(text) >= len(first) + len(last) and text.startswith(first) and text.endswith(last)):
            return None
        # From the end: what comes first is told at greater length, such as a roll with all its modifiers.
        begin, at, parts = len(first), len(text) - len(last), []
        for literal in reversed(middle):
            there = text.rfind(literal, begin, at)
            if there < 0:
                return None
            parts.append(text[there + len(literal) : at])
            at = there
        parts.append(text[begin:at])
        if self.weight < SHORT and any(len(_WORD.findall(part)) > A_NAME for part in parts):
            return None
        placed = dict(zip(self.names, reversed(parts), strict=True))
        if self.bare and not all(_may_stand(name, part) for name, part in placed.items()):
            return None
        return placed if placed.get(COUNT, "1").isdigit() else None


def _may_stand(name: str, part: str) -> bool:
    """True if a part may stand in a phrase that has no words of its own: a side, what players call a thing, an id."""
    if name == "side":
        return _SIDE.fullmatch(part) is not None
    if name == "label":
        return _is_name(part)
    return _DIGIT.search(part) is not None and _PLAIN.search(part) is None


def _is_prose(part: str) -> bool:
    """True if what stands in a placeholder is English prose, and no name."""
    return not PROSE.isdisjoint(_WORD.findall(part))


def _is_name(part: str) -> bool:
    """True if a part of a sentence is a name, a term or the like, and may stay as it is."""
    return not _is_prose(part) and part.count(" ") < A_NAME and not part.endswith("?")


@dataclass(frozen=True)
class _Catalogue:
    """The texts of a language: those that stand fast, and those with placeholders by one of their words."""

    texts: Mapping[str, str]
    fixed: Mapping[str, str]
    phrases: Mapping[str, Sequence[Phrase]]

    def whole(self, text: str) -> str:
        """Return the translation of a text that is given with its placeholders; the text, if there is none."""
        return self.texts.get(text, text)

    def sentence(self, text: str, tried: dict[str, str | None], depth: int = 0) -> str | None:
        """Return a sentence, or a part of one, wholly translated; None if a part of it would stay English.

        Names, terms, numbers and signs stay as they are. `tried` keeps what was looked up before.
        """
        core = text.strip()
        if not _WORD.search(core):
            return text
        if core not in tried:
            tried[core] = None
            if _SENTENCES.search(core) or "\n" in core:
                said, whole = self.say(core, tried, depth + 1) if depth <= DEEPEST else ("", False)
                tried[core] = said if whole else None
            elif depth <= DEEPEST:
                tried[core] = self._look_up(core, tried, depth)
        known = tried[core]
        return None if known is None else text.replace(core, known, 1)

    def _look_up(self, core: str, tried: dict[str, str | None], depth: int) -> str | None:
        known = self._find_whole(core, tried, depth)
        if known is None:
            known = self._by_parts(core, tried, depth)
        return core if known is None and _is_name(core) else known

    def _find_whole(self, core: str, tried: dict[str, str | None], depth: int) -> str | None:
        known = self.fixed.get(core)
        if known is None:
            known = self._by_phrase(core, tried, depth)
        if known is None and core.endswith("."):
            # A sentence may be known without its full stop.
            known = self._find_whole(core[:-1], tried, depth)
            return None if known is None else f"{known}."
        return known

    def _by_phrase(self, core: str, tried: dict[str, str | None], depth: int) -> str | None:
        """Return the translation by a text with placeholders, if what stands in them is translated, too."""
        candidates = {
            id(candidate): candidate for word in {"", *_WORD.findall(core)} for candidate in self.phrases.get(word, ())
        }
        for phrase in sorted(candidates.values(), key=lambda candidate: -candidate.weight):
            parts = phrase.parts_of(core)
            if parts is None:
                continue
            said = {name: self.sentence(part, tried, depth + 1) for name, part in parts.items()}
            if None in said.values() or (phrase.weight < SHORT and any(_is_prose(str(part)) for part in said.values())):
                continue
            return PLACE.sub(lambda match, said=said: said[match[1]], phrase.meaning)  # type: ignore[misc]
        return None

    def _by_parts(self, core: str, tried: dict[str, str | None], depth: int) -> str | None:
        """Return the members of a list, a modifier and its reason and the like, if each is translated."""
        label, colon, rest = core.partition(": ")
        if colon and label.count(" ") < A_NAME:
            said = (self.sentence(label, tried, depth + 1), self.sentence(rest, tried, depth + 1))
            if None not in said:
                return f"{said[0]}{colon}{said[1]}"
        for at in _BREAKS:
            pieces = at.split(core)
            if len(pieces) > 1:
                known = [piece if i % 2 else self.sentence(piece, tried, depth + 1) for i, piece in enumerate(pieces)]
                return None if None in known else "".join(map(str, known))
        if core[-1] in ":;":
            # `Germans:` stands before what is told of them.
            head = self.sentence(core[:-1], tried, depth + 1)
            return None if head is None else f"{head}{core[-1]}"
        return None

    def say(self, text: str, tried: dict[str, str | None], depth: int = 0) -> tuple[str, bool]:
        """Return a text with each sentence translated that is known whole, and True if all of them are."""
        core = text.strip()
        if not _WORD.search(core):
            return text, True
        whole = self._find_whole(core, tried, depth)
        if whole is not None:
            return text.replace(core, whole, 1), True
        before, hint, after = text.partition(HINT)
        if hint:
            (before, head_known), (after, tail_known) = self.say(before, tried, depth), self.say(after, tried, depth)
            return before + self.whole(f"{HINT}{{1}}").replace("{1}", after), head_known and tail_known
        for at in (_LINES, _SENTENCES):
            pieces = at.split(text)
            if len(pieces) > 1:
                if at is _SENTENCES and len(pieces) < 2 * MOST_SENTENCES:
                    pieces = list(self._join_known(pieces, tried))
                if len(pieces) > 1:
                    said = [(piece, True) if i % 2 else self.say(piece, tried, depth) for i, piece in enumerate(pieces)]
                    return "".join(piece for piece, _ in said), all(known for _, known in said)
                text = pieces[0]
        known = self.sentence(text, tried, depth) if len(_SENTENCES.split(text)) == 1 else None
        return (text, False) if known is None else (known, True)

    def _join_known(self, pieces: Sequence[str], tried: dict[str, str | None]) -> Iterator[str]:
        """Yield sentences, with what stands between them; those that are known together are one."""
        i = 0
        while i < len(pieces):
            for end in range(len(pieces) - (len(pieces) - i + 1) % 2, i + 1, -2):
                if (i, end) != (0, len(pieces)) and self._find_whole("".join(pieces[i:end]), tried, 0) is not None:
                    break
            else:
                end = i + 1
            yield "".join(pieces[i:end])
            if end < len(pieces):
                yield pieces[end]
            i = end + 1


_missed: ContextVar[list[str] | None] = ContextVar("missed", default=None)


@contextmanager
def note_missing() -> Iterator[list[str]]:
    """Note the texts that are said meanwhile and of which a sentence stays English."""
    missed: list[str] = []
    token = _missed.set(missed)
    try:
        yield missed
    finally:
        _missed.reset(token)


_of_card: ContextVar[Mapping[str, Meanings] | None] = ContextVar("of_card", default=None)


@contextmanager
def with_texts_of_card(texts: Mapping[str, Meanings]) -> Iterator[None]:
    """Say meanwhile what a card says as it says it in other languages (`Context.texts`)."""
    token = _of_card.set(texts)
    try:
        yield
    finally:
        _of_card.reset(token)


def in_words_of_card(tell: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Let a function that tells of a campaign, its first argument, say what the card says as the card has it."""

    @wraps(tell)
    def tell_with_card(campaign: Any, /, *args: P.args, **named: P.kwargs) -> T:
        with with_texts_of_card(campaign.context.texts):
            return tell(campaign, *args, **named)

    return tell_with_card


def take_texts_of_card(texts: Mapping[str, Meanings]) -> None:
    """Say from now on, within this `with_texts_of_card`, what another card says in other languages."""
    _of_card.set(texts)


def say(text: str, language: str) -> str:
    """Return what rules and cards say in a language: each sentence wholly translated, or as it is."""
    if isinstance(text, Multilingual) and language in text.meanings:
        return text.meanings[language]
    if language == ENGLISH or not text or len(text) > LONGEST:
        return text
    own = (_of_card.get() or {}).get(language)
    said, whole = _say_cached(str(text), language, frozenset(own.items()) if own else frozenset())
    missed = _missed.get()
    if missed is not None and not whole:
        missed.append(text)
    return said


def put(text: str, language: str, **parts: object) -> str:
    """Return a text of the catalogue in a language, with its parts put in as they are."""
    meaning = text if language == ENGLISH else _catalogue(language).whole(text)
    return PLACE.sub(lambda match: str(parts[match[1]]), meaning)


@lru_cache(maxsize=KEPT)
def _say_cached(text: str, language: str, of_card: frozenset[tuple[str, str]]) -> tuple[str, bool]:
    return _catalogue_with(language, of_card).say(text, {})


@lru_cache(maxsize=KEPT_CARDS)
def _catalogue_with(language: str, of_card: frozenset[tuple[str, str]]) -> _Catalogue:
    """Return the texts of a language with those of a card, which go before."""
    catalogue = _catalogue(language)
    return replace(catalogue, fixed={**catalogue.fixed, **dict(of_card)}) if of_card else catalogue


@cache
def _catalogue(language: str) -> _Catalogue:
    path = find("rules", Path(__file__).parent / "locale", [language])
    if path is None:
        return _Catalogue({}, {}, {})
    with Path(path).open("rb") as stream:
        # The library reads the file, and has no other way to its texts.
        texts: Mapping[str, str] = vars(GNUTranslations(stream))["_catalog"]
    fixed = {text: meaning for text, meaning in texts.items() if text and not PLACE.search(text)}
    made = [Phrase.of(text, meaning) for text, meaning in texts.items() if PLACE.search(text)]
    common: dict[str, int] = {}
    for phrase in made:
        for word in set(phrase.words):
            common[word] = common.get(word, 0) + 1
    phrases: dict[str, list[Phrase]] = {}
    for phrase in made:
        # By the word that the fewest others have.
        word = min(phrase.words, key=lambda word: (common[word], word), default="")
        phrases.setdefault(word, []).append(phrase)
    return _Catalogue(texts, fixed, phrases)
