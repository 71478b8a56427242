"""Texts of files in one language or several: `{en: Control the bridge., de: Kontrolliere die Brücke.}`.

A text in one language is a string as any other. One in several is `Multilingual`: the string in the file's own
language, English where it has it, with the others beside it. Rules and logs have its own words; who shows it asks
for the reader's (`campaign.speech.say`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Annotated, Any, cast

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

OWN = "en"
"""The language that a text in several is in for rules and logs, if it has it; else the first in the alphabet."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")

Meanings = Mapping[str, str]
"""The texts of a file in one language, by what it says in its own."""


class Multilingual(str):
    """A text in several languages; as a string it is the one in its own.

    `meanings` has all of them by their codes. Raises ValueError if one is no language, or has no words.
    """

    meanings: Mapping[str, str]

    def __new__(cls, meanings: Mapping[Any, Any]) -> Multilingual:
        """Make a text of what it says in each language."""
        right = "say it by language: {en: …, de: …}"
        if not meanings:
            raise ValueError(f"there is no text; {right}")
        for code, meaning in meanings.items():
            if not (isinstance(code, str) and _LANGUAGE.fullmatch(code)):
                raise ValueError(f"{str(code)[:40]!r} is no language; {right}")
            if not (isinstance(meaning, str) and meaning.strip()):
                raise ValueError(f"the text for {code!r} is not there; {right}")
        text = super().__new__(cls, meanings[own_language(meanings)])
        text.meanings = dict(meanings)
        return text

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Return what it is made of, for copies."""
        return (self.meanings,)

    def map(self, change: Callable[[str], str]) -> Multilingual:
        """Return the text with its own words changed."""
        own = str(self)
        return Multilingual({code: change(text) if text == own else text for code, text in self.meanings.items()})


def own_language(meanings: Mapping[str, Any]) -> str:
    """Return the language in which rules and logs have a text."""
    return OWN if OWN in meanings else min(meanings)


def text_of(data: object) -> str:
    """Return a text of a file's plain data: in several languages, if there are several. Raises ValueError."""
    return Multilingual(data) if isinstance(data, Mapping) else str(data)


def is_in_languages(data: object) -> bool:
    """True if a file's plain data are a text in several languages."""
    try:
        return isinstance(data, Mapping) and bool(Multilingual(data))
    except ValueError:
        return False


def meaning_in(data: object, language: str) -> object:
    """Return a text in several languages in one of them, or in its own; other plain data as they are."""
    if not (isinstance(data, Mapping) and is_in_languages(data)):
        return data
    return data.get(language) or data[own_language(data)]


def with_own_texts(data: Any) -> Any:
    """Return a file's plain data with each text in several languages as the one in its own."""
    if is_in_languages(data):
        return text_of(data)
    if isinstance(data, Mapping):
        return {key: with_own_texts(value) for key, value in data.items()}
    return [with_own_texts(value) for value in data] if isinstance(data, list | tuple) else data


def with_languages_of(old: Any, new: Any, language: str = "") -> Any:
    """Return what replaces plain data of a file, with what the old data said in other languages.

    A text changes in the language given, if it has it, else in its own; of a list each text that it had already
    stays whole.
    """
    if isinstance(old, MutableMapping) and isinstance(new, str) and is_in_languages(old):
        old[language if language in old else own_language(old)] = new
        return old
    if isinstance(old, list) and isinstance(new, list):
        whole = {meaning_in(text, language): text for text in old if is_in_languages(text)}
        new[:] = [whole.get(text, text) if isinstance(text, str) else text for text in new]
    return new


class InLanguages:
    """Lets a field that is a text be given in several languages."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(given: Any, read_plain: core_schema.ValidatorFunctionWrapHandler) -> str:
            if isinstance(given, Multilingual):
                return given
            if isinstance(given, Mapping) and given:
                return Multilingual({code: read_plain(meaning) for code, meaning in given.items()})
            return cast("str", read_plain(given))

        written = core_schema.plain_serializer_function_ser_schema(_plain, return_schema=core_schema.any_schema())
        return core_schema.no_info_wrap_validator_function(read, handler(source), serialization=written)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        plain = handler(schema)
        several = {
            "type": "object",
            "propertyNames": {"pattern": f"^{_LANGUAGE.pattern}$"},
            "additionalProperties": {"type": "string", "minLength": 1},
            "minProperties": 1,
        }
        return {"anyOf": [plain, several]}


def _plain(text: str) -> Any:
    """Return a text as plain data."""
    return dict(text.meanings) if isinstance(text, Multilingual) else text


FreeText = Annotated[str, InLanguages()]
"""A field of a file that people read: a string, or a `Multilingual` in several languages."""


def meanings_of(*files: object) -> Mapping[str, Meanings]:
    """Return the texts in several languages that files have: by language, by what they say in their own."""
    by_language: dict[str, dict[str, str]] = {}
    for text in _texts_in(files):
        for code, meaning in text.meanings.items():
            if code != OWN:
                by_language.setdefault(code, {})[str(text).strip()] = meaning.strip()
    return by_language


def _texts_in(part: object) -> Iterator[Multilingual]:
    match part:
        case Multilingual():
            yield part
        case BaseModel():
            for name in type(part).model_fields:
                yield from _texts_in(getattr(part, name))
        case Mapping():
            for value in part.values():
                yield from _texts_in(value)
        case tuple() | list():
            for value in part:
                yield from _texts_in(value)
