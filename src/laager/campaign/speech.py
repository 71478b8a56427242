"""What rules say, in the reader's language.

The engine and the rules speak English: questions, refusals and facts are made, stored and compared as English text.
Whoever shows a text asks here for it in another language, when it is shown. The catalogue `locale/` has each text
as the code says it, with its placeholders: `{unit} reveals {location}` for `f"{self.unit} reveals {self.location}"`.
A text is looked up by what stands between the placeholders, and what stands in them is looked up in turn. So old logs
are read in every language, and a text without a translation stays as it is. Terms of the rules stay English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from gettext import GNUTranslations, find
from pathlib import Path

ENGLISH = "en"
DEEPEST = 6
"""So often a placeholder's own text is taken apart again."""
LONGEST = 6000
"""Rules never say more at a time."""
KEPT = 4000
"""Most texts whose translation is cached."""

SHORT, A_NAME = 12, 5
"""A phrase with less than so many fast letters has names in its placeholders, of so many words at most."""

FUNCTION_WORDS = frozenset(
    {"a", "and", "at", "by", "for", "from", "has", "in", "is", "of", "on", "or", "the", "to", "with"}
)
"""Where nothing else stands fast in a phrase, its placeholders hold ids, labels or hexes, which have digits."""

PROSE = FUNCTION_WORDS - {"in"} | {"as", "it", "its", "no", "not", "that", "they", "up", "what", "which", "who"}
"""Words of English prose: a short phrase around them would leave a sentence half translated."""

COUNT = "n"
"""The placeholder of a number, and of nothing else: `{n} groups`."""

PLACE = re.compile(r"\{(\w+)\}")
"""A placeholder in a text of the catalogue."""
_WORD = re.compile(r"[A-Za-z']{2,}")
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"(?<![\w-])[a-z]{3,}\b")
"""A word that is no name, id or hex."""
_SENTENCES = re.compile(r"((?<=[.?!])\s+)")
HINT = "Hint: "
"""What stands before a card's own hint, behind the help of a question."""
MOST_SENTENCES = 20
"""Of so many sentences it's looked up which are known together."""
_BREAKS = (
    re.compile(r"(\n+)"),
    _SENTENCES,
    re.compile(r"((?<=:)\s+)"),
    re.compile(r"((?<=[;)])\s+)"),
    re.compile(r"^([+-]\d+ )(?=[a-z])"),
    re.compile(r"(,\s+|: )"),
    re.compile(r"((?<=\d{4}-\d\d-\d\d) )"),
    re.compile(r"^(\d+ x |\d+ (?=[a-z]+$))"),
    re.compile(r"( )(?=night$)"),
    re.compile(r"( \([a-z]+\)$)"),
)
"""Where a text is taken apart that isn't known as a whole.

Lines, sentences, a modifier and its reason, members of a list, a day and its hour, how many of something, a side's word
behind its name.
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
        if self.bare and not all(_DIGIT.search(part) and not _PLAIN.search(part) for part in parts):
            return None
        placed = dict(zip(self.names, reversed(parts), strict=True))
        return placed if placed.get(COUNT, "1").isdigit() else None


def _a_sentence(part: str) -> bool:
    """Return True if what stands in a placeholder is English prose, and no name."""
    return not PROSE.isdisjoint(_WORD.findall(part))


@dataclass(frozen=True)
class _Catalogue:
    """The texts of a language: those that stand fast, and those with placeholders by one of their words."""

    texts: Mapping[str, str]
    fixed: Mapping[str, str]
    phrases: Mapping[str, Sequence[Phrase]]

    def whole(self, text: str) -> str:
        """Return the translation of a text that is given with its placeholders; the text, if there is none."""
        return self.texts.get(text, text)

    def meaning(self, text: str, depth: int = 0) -> str | None:
        """Return the translation of a whole text; None if it isn't known."""
        known = self.fixed.get(text)
        if known is not None or depth > DEEPEST:
            return known
        candidates = {
            id(candidate): candidate for word in {"", *_WORD.findall(text)} for candidate in self.phrases.get(word, ())
        }
        for phrase in sorted(candidates.values(), key=lambda candidate: -candidate.weight):
            parts = phrase.parts_of(text)
            if parts is not None:
                said = {name: self.say(part, depth + 1) for name, part in parts.items()}
                if phrase.weight < SHORT and any(map(_a_sentence, said.values())):
                    continue
                return PLACE.sub(lambda match, said=said: said[match[1]], phrase.meaning)  # type: ignore[misc]
        return None

    def say(self, text: str, depth: int = 0) -> str:
        """Return a text translated as far as it is known: as a whole, or by its sentences."""
        core = text.strip()
        if not _WORD.search(core):
            return text
        known = self.meaning(core, depth)
        if known is not None:
            start = text.index(core)
            return f"{text[:start]}{known}{text[start + len(core) :]}"
        before, hint, after = text.partition(HINT)
        if hint:
            return self.say(before, depth) + self.whole(f"{HINT}{{1}}").replace("{1}", self.say(after, depth + 1))
        label, colon, rest = core.partition(": ")
        if colon and label.count(" ") < A_NAME and (known := self.meaning(rest, depth + 1)) is not None:
            start = text.index(core)
            return f"{text[:start]}{self.say(label, depth + 1)}{colon}{known}{text[start + len(core) :]}"
        for at in _BREAKS if depth <= DEEPEST else ():
            pieces = at.split(text)
            if len(pieces) > 1:
                if at is _SENTENCES and len(pieces) < 2 * MOST_SENTENCES:
                    pieces = list(self._say_joined(pieces, depth))
                    if len(pieces) == 1:
                        return self.say(pieces[0], depth + 1)
                return "".join(self.say(piece, depth + 1) if i % 2 == 0 else piece for i, piece in enumerate(pieces))
        mark = core[-1]
        if mark in ":;":
            # `Germans:` stands before what is told of them.
            start = text.index(core)
            return f"{text[:start]}{self.say(core[:-1], depth + 1)}{mark}{text[start + len(core) :]}"
        return text

    def _say_joined(self, pieces: Sequence[str], depth: int) -> Iterator[str]:
        """Yield sentences, with what stands between them; those that are known together are one."""
        i = 0
        while i < len(pieces):
            for end in range(len(pieces) - (len(pieces) - i + 1) % 2, i + 1, -2):
                if (i, end) != (0, len(pieces)) and self.meaning("".join(pieces[i:end]), depth + 1) is not None:
                    break
            else:
                end = i + 1
            yield "".join(pieces[i:end])
            if end < len(pieces):
                yield pieces[end]
            i = end + 1


def say(text: str, language: str) -> str:
    """Return what the rules say in a language, as far as it is translated."""
    if language == ENGLISH or not text or len(text) > LONGEST:
        return text
    return _say_cached(str(text), language)


def put(text: str, language: str, **parts: object) -> str:
    """Return a text of the catalogue in a language, with its parts put in as they are."""
    meaning = text if language == ENGLISH else _catalogue(language).whole(text)
    return PLACE.sub(lambda match: str(parts[match[1]]), meaning)


@lru_cache(maxsize=KEPT)
def _say_cached(text: str, language: str) -> str:
    return _catalogue(language).say(text)


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
