"""The check of names refuses what says too little, and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests import names

TERMS = names.read_terms("""
[empty]
found where
[nouns]
feed
[locals]
found one
[functions]
rounded  # as Python's own sorted
[classes]
Meta  # Django's
""")


def problems_of(text: str) -> list[int]:
    """Return the lines of a module that are refused."""
    return [line for line, _ in names.check_module(ast.parse(text), TERMS)]


@pytest.mark.parametrize("name", ["named", "_where", "found", "told_"])
def test_a_bare_participle_or_adverb_is_no_name_of_a_function(name: str) -> None:
    wrong = name != "told_"
    assert problems_of(f"def {name}(): ...\nasync def {name}(): ...") == ([1, 2] if wrong else [])


@pytest.mark.parametrize("name", ["feed", "rounded", "name_people", "is_needed", "sort"])
def test_verbs_nouns_and_what_is_allowed_pass(name: str) -> None:
    assert problems_of(f"class A:\n    def {name}(self): ...") == []


def test_a_property_may_be_an_adjective() -> None:
    assert problems_of("class A:\n    @property\n    def found(self): ...\n    def where(self): ...") == [4]


def test_locals_and_parameters_say_which_one_they_are() -> None:
    assert problems_of("def f(one):\n    found = one\n    for _one in found: pass") == [1, 2, 3]


def test_fields_keep_their_names_as_files_say_them() -> None:
    assert problems_of("class A:\n    found: int\n    one = 1") == []


def test_constants_of_one_letter_are_refused_but_for_type_variables() -> None:
    assert problems_of("from typing import TypeVar\nT = TypeVar('T')\nS = 1\nSLOPE: int = 2") == [3]


def test_a_public_class_stands_once_unless_it_is_allowed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("class Row: ...\nclass Meta: ...\nclass _Own: ...\n")
    assert len(list(names.find_problems(tmp_path, TERMS))) == 1
    assert not list(names.find_problems(tmp_path, names.read_terms("[classes]\nRow  # the field's word\nMeta # x")))


def test_what_is_allowed_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="no reason"):
        names.read_terms("[functions]\nnamed")
