"""Wrong values in every form of the library and in the API: no error of the server, nothing but sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pytest
from django.test import Client

from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from . import fuzzing
from .conftest import People
from .fuzzing import Said
from .test_library_words import PATH

Fuzz = Callable[[Client, People, Mapping[str, str], int | None], Iterator[Said]]

TOO_OFTEN = 429
"""Who has to wait isn't told what is wrong."""
FORMS: Mapping[str, Fuzz] = {
    "grids": lambda own, people, texts, most: fuzzing.fuzz_grids(own, people.anna, texts, most),
    "forms": lambda own, people, texts, most: fuzzing.fuzz_forms(own, people.anna, texts, most),
    "texts": lambda own, people, texts, most: fuzzing.fuzz_texts(own, texts, most),
    "maps": lambda own, people, texts, most: fuzzing.fuzz_maps(
        own, people.anna, "p-map.yaml", texts["p-map.yaml"], most
    ),
    "others": lambda own, people, texts, most: fuzzing.fuzz_others(own, most),
}


@pytest.fixture(autouse=True)
def _in_a_hurry(settings: Any) -> None:
    """Let nobody wait who tries this much."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 10**9})


@pytest.fixture
def texts(people: People) -> dict[str, str]:
    made = fuzzing.texts_of_library()
    library.save_all(people.anna, made, None)
    return made


def check_pages(said: Iterable[Said]) -> None:
    seen, wrong = 0, []
    for one in said:
        seen += 1
        assert one.status != TOO_OFTEN, one.where
        faults = [*one.faults, *PATH.findall(one.text)]
        if faults:
            wrong.append((one.where, faults, one.text))
    assert seen > 5
    assert not wrong, f"{len(wrong)} of {seen}, the first: {wrong[:8]}"


def check_calls(said: Iterable[Said]) -> None:
    wrong = []
    for one in said:
        assert one.status != TOO_OFTEN, one.where
        if one.faults:
            wrong.append((one.where, one.faults, one.text))
    assert not wrong, f"{len(wrong)}, the first: {wrong[:8]}"


def test_some_wrong_values_are_answered_in_sentences(people: People) -> None:
    own, few = people.client(people.anna), file_templates.made_from("skeleton-pl", "p")
    library.save_all(people.anna, few, None)
    check_pages(said for fuzz in FORMS.values() for said in fuzz(own, people, few, 3))
    check_calls(fuzzing.fuzz_api(own, people.anna, few, 3))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.soak
def test_every_wrong_value_is_answered_in_sentences(form: str, people: People, texts: dict[str, str]) -> None:
    check_pages(FORMS[form](people.client(people.anna), people, texts, None))


@pytest.mark.soak
def test_programs_get_sentences_for_every_wrong_value(people: People, texts: dict[str, str]) -> None:
    check_calls(fuzzing.fuzz_api(people.client(people.anna), people.anna, texts))
