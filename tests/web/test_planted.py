"""The search for what must not reach a seat finds it, and no more."""

from __future__ import annotations

from tests.web import planted


def test_the_search_passes_over_what_the_rules_say_and_nothing_else() -> None:
    printed = planted.phrases("pl")
    quoted = "<td>-1</td><td>1st Line infantry platoon bought for the firefight just played</td>"
    leaked = quoted + "<td>1st Line squad AL41</td>"
    assert planted.found_in(planted.unquoted(quoted, printed), {"1st", "AL41"}) == set()
    assert planted.found_in(planted.unquoted(leaked, printed), {"1st", "AL41"}) == {"1st", "AL41"}
    assert not [one for one in printed if len(one) < 5], "no phrase is so short that it hides a name"
