"""Every clause of the layer is carried out by something, and code names only clauses there are."""

from __future__ import annotations

from laager.campaign.clauses import RulesIndex, coverage, unknown_clauses

PACKAGE = "laager.rules.historical"


def test_every_clause_is_implemented() -> None:
    index = RulesIndex.load_packaged(PACKAGE)
    missing = [row.clause for row in coverage(index, PACKAGE) if not row.by]
    assert not missing, f"clauses that nothing implements: {', '.join(missing)}"


def test_code_names_only_clauses_of_the_index() -> None:
    unknown = unknown_clauses(RulesIndex.load_packaged(PACKAGE), PACKAGE)
    assert not unknown, f"the index has no such clauses: {dict(unknown)}"
