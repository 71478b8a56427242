"""Wrong values in every form of the library and in the API: no error of the server, nothing but sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest
from django.test import Client

from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from . import fuzzing
from .conftest import People
from .fuzzing import Said
from .test_library_words import PATH

Fuzz = Callable[[Client, People, Mapping[str, str], int | None], Iterator[Said]]

FORMS: Mapping[str, Fuzz] = {
    "grids": lambda own, people, texts, most: fuzzing.fuzz_grids(own, people.anna, texts, most),
    "forms": lambda own, people, texts, most: fuzzing.fuzz_forms(own, people.anna, texts, most),
    "texts": lambda own, people, texts, most: fuzzing.fuzz_texts(own, texts, most),
    "maps": lambda own, people, texts, most: fuzzing.fuzz_maps(
        own, people.anna, "p-map.yaml", texts["p-map.yaml"], most
    ),
    "others": lambda own, people, texts, most: fuzzing.fuzz_others(own, most),
}


@pytest.fixture
def texts(people: People) -> dict[str, str]:
    made = fuzzing.texts_of_library()
    library.save_all(people.anna, made, None)
    return made


def check_pages(said: Iterable[Said]) -> None:
    seen, wrong = 0, []
    for one in said:
        seen += 1
        faults = [*one.faults, *PATH.findall(one.text)]
        if faults:
            wrong.append((one.where, faults, one.text))
    assert seen > 5
    assert not wrong, f"{len(wrong)} of {seen}, the first: {wrong[:8]}"


def test_some_wrong_values_are_answered_in_sentences(people: People) -> None:
    own, few = people.client(people.anna), file_templates.made_from("skeleton-pl", "p")
    library.save_all(people.anna, few, None)
    check_pages(said for fuzz in FORMS.values() for said in fuzz(own, people, few, 3))
    programs = [*fuzzing.fuzz_api(own, people.anna, few, 3)]
    assert not [one for one in programs if one.faults]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.soak
def test_every_wrong_value_is_answered_in_sentences(form: str, people: People, texts: dict[str, str]) -> None:
    check_pages(FORMS[form](people.client(people.anna), people, texts, None))


@pytest.mark.soak
def test_programs_get_sentences_for_every_wrong_value(people: People, texts: dict[str, str]) -> None:
    calls = fuzzing.fuzz_api(people.client(people.anna), people.anna, texts)
    wrong = [(one.where, one.faults, one.text) for one in calls if one.faults]
    assert not wrong, f"{len(wrong)}, the first: {wrong[:8]}"
