from __future__ import annotations

from laager.campaign.readings import Readings
from laager.tables import load_packaged

PACKAGE = "laager.rules.platoon_leader"

DEFAULTS = {
    "cthc-radius": "2",
    "edge-links": "each",
    "besieger": "no-mans-land",
    "isolated-far": "7",
    "elr-ends": "inclusive",
    "isolated-clearers": "spared",
    "idle-resets": "resets",
    "company-platoons": "three",
    "unspent-fp": "kept",
    "dual-tie": "second-mover",
    "sudden-both": "draw",
    "platoon-limit": "firefight",
    "reserve-dummies": "removed",
    "zero-price": "minimum",
    "same-purchase": "this-firefight",
    "exited-units": "sets-up",
    "hip-base": "on-map",
    "hip-carry": "free",
    "booby-first-level": "A",
    "ambush-hidden": "as-others",
    "option-a-free-moves": "never",
    "harden-once": "apart",
    "off-map-leadership": "where-they-stood",
    "abandoned-armament": "repaired",
    "blaze-new-date": "burn-on",
    "bocage-wall-advantage": "own-turn",
    "fortified-rubble": "gone",
}


def test_defaults() -> None:
    assert Readings.load_packaged(PACKAGE).defaults == DEFAULTS


def test_options_that_are_numbers_or_columns() -> None:
    """Code reads these as a number of hexes and as a column of the ELR table."""
    readings = Readings.load_packaged(PACKAGE)
    for name in ("cthc-radius", "isolated-far"):
        assert all(option.isdigit() for option in readings[name].options)
    columns = load_packaged(PACKAGE, "tables.yaml")["elr-change"].columns
    assert tuple(readings["elr-ends"].options) == columns
