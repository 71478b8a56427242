"""The ruleset `hasl`: historical campaigns that card, charts, tables and map alone describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from laager.rules.board.hasl.context import PACKAGE, Hasl
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.rules.board.hasl.sequence import SEQUENCES
from laager.rules.board.hasl.state import HaslState

MOMENTS: Mapping[str, str] = {
    "melee": "cc",
    "buying": "purchase",
    "weather": "weather",
    "setting-up": "setup",
    "play": "play",
}
"""The moment of the rules index at which a step shows its reminders."""


class Generic(HaslRuleset[Hasl, HaslState]):
    """The ruleset `hasl`."""

    id = "hasl"
    title = "Historical campaigns told by data"
    package = PACKAGE
    sequences = SEQUENCES
    moments = MOMENTS
    context_class = Hasl
    state_class = HaslState
    over: ClassVar[str] = "HASL 31"


RULESET = Generic()
