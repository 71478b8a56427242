"""Whole campaigns of Edson's Ridge for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from laager.campaign.engine import Campaign
from tests.historical import by_chance

CARD = Path(__file__).parent / "cards" / "ridge.yaml"


def new_campaign(path: Path = CARD, **how: Any) -> Campaign:
    return by_chance.new_campaign("er", path, **how)
