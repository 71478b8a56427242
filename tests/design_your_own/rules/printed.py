"""The rules as printed, by their usual readings."""

from __future__ import annotations

from laager.rules.design_your_own.rulebook import Rulebook

PRINTED = Rulebook()
