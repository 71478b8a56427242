"""Whole campaigns of A Bridge Too Far for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from laager.campaign.engine import Campaign
from tests.bridge_too_far.scene import CARD
from tests.historical import by_chance


def new_campaign(path: Path = CARD, **how: Any) -> Campaign:
    return by_chance.new_campaign("abtf", path, **how)
