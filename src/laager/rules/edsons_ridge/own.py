"""The context of a campaign as this module's own, for code that the context itself needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from laager.rules.board.hasl.context import Hasl

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


def er(cg: Hasl) -> Er:
    """Return the context of a campaign of this module with what it adds."""
    return cast("Er", cg)
