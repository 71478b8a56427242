"""One change that breaks a rule, and one of its kind that doesn't: the check tells them apart."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from laager.base.files import Document, field_path, parse_document
from laager.rules.design_your_own.check.check import ObVerdict, check_file
from laager.rules.design_your_own.files import LoadedOb, LoadedTerms, ObFile, loaded_terms
from laager.rules.design_your_own.terms import Terms

DATA = Path(__file__).parent / "data"


def _read(name: str) -> Any:
    return parse_document((DATA / name).read_text(encoding="utf-8"), name).data


BATTLE_GROUP: dict[str, Any] = _read("kampfgruppe.yaml")
MUTATIONS: list[dict[str, Any]] = _read("mutations.yaml")


def changed(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a file with some of its values changed, by paths as in mutations.yaml."""
    made = deepcopy(data)
    for path, value in changes.items():
        at: Any = made if path.startswith("/") else made["ob"]
        *way, last = path.removeprefix("/").split(".")
        for name in way:
            at = at[int(name) - 1] if isinstance(at, list) else at[name]
        if last.startswith("+"):
            at.append(value)
        elif last.startswith("~"):
            del at[int(last[1:]) - 1]
        elif value is None:
            at.pop(last, None)
        elif isinstance(at, list):
            at[int(last) - 1] = value
        else:
            at[last] = value
    return made


@cache
def _terms(text: str) -> LoadedTerms:
    document = parse_document(text, "terms")
    return loaded_terms(document, Terms.model_validate(document.data), Path(), ())


def verdict_of(data: dict[str, Any]) -> ObVerdict:
    """Check a file that was changed."""
    document = Document(data, "changed.yaml")
    made = ObFile.model_validate(document.data)
    terms = _terms(json.dumps(data["terms"]))
    return check_file(LoadedOb(made.ob, terms, document, made.values))


def told(verdict: ObVerdict) -> list[str]:
    return [f"{field_path(found.where)} {found.breach.rule}" for found in verdict.broken]


def test_the_battle_group_is_legal() -> None:
    verdict = verdict_of(BATTLE_GROUP)
    assert told(verdict) == []
    assert not verdict.unjudged
    assert not verdict.notes
    assert verdict.ob.total == 2414
    assert verdict.ob.left == 586


def test_there_are_enough_kinds() -> None:
    names = [one["name"] for one in MUTATIONS]
    assert len(names) == len(set(names)) >= 60
    assert len({one["rule"] for one in MUTATIONS}) >= 30


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[one["name"] for one in MUTATIONS])
def test_a_single_illegal_change_is_found(mutation: dict[str, Any]) -> None:
    verdict = verdict_of(changed(BATTLE_GROUP, {**mutation["change"], **mutation.get("and", {})}))
    found = f"{mutation['field']} DYO {mutation['rule']}"
    assert found in told(verdict), [str(one) for one in verdict.broken]
    here = next(one for one in verdict.broken if f"{field_path(one.where)} {one.breach.rule}" == found)
    assert here.breach.right, "what would be right is told"
    assert here.breach.rule in str(here)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[one["name"] for one in MUTATIONS])
def test_its_legal_neighbour_is_not(mutation: dict[str, Any]) -> None:
    data = changed(BATTLE_GROUP, {**mutation["legal"], **mutation.get("and", {})})
    # Leaders and SW follow from the Infantry; where that was changed they are left to be allotted.
    if not {path.split(".")[0] for path in mutation["legal"]}.isdisjoint({"infantry", "/terms"}):
        data = _unallotted(data)
    verdict = verdict_of(data)
    assert verdict.legal, [str(one) for one in verdict.broken]


def _unallotted(data: dict[str, Any]) -> dict[str, Any]:
    return changed(data, {"equivalents": None, "leaders": None, "sw": None, "reinforcement_leaders": None})
