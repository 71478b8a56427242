"""No rule has the printed map at hand: the map of a campaign is the ground as it is now.

A rule that needs what was printed under a change asks `Hex.printed`, and stands here with its reason.
"""

from __future__ import annotations

import re
from pathlib import Path

import laager

SOURCE = Path(laager.__file__).parent

MAY_ASK = {
    "rules/board/context.py": "makes the map as it is now",
    "rules/board/places.py": "rubble burns like what fell; nobody digs in a fallen building",
    "rules/board/record/checks.py": "who Controlled a level that has fallen stays on record",
    "rules/edsons_ridge/terrain.py": "rubble of jungle burns as jungle; what was hit has been changed (CG14(4))",
    "vasl/setup/likeness.py": "a board of VASL is compared with the map as it was printed",
    "vasl/setup/plan.py": "wooden or stone rubble: a counter for what fell",
    "los/questions/board_engine.py": "lines are looked along on the boards of VASL, which are the printed map",
    "los/questions/requests.py": "the boards of VASL are the printed map",
    "web/campaigns/los_jobs.py": "a process that has a map has it printed too",
    "web/play/battle/saves.py": "the board of a map shows it as it was printed",
    "web/records/map/pictures.py": "the ground alone is shown until the map is there",
}
"""Modules that may ask what is printed, with why."""

PRINTED = re.compile(r"\.(_?printed|as_printed)\b(?!\()|opening\[.map.\]")


def test_only_those_who_need_it_ask_what_is_printed() -> None:
    asking = {
        path.relative_to(SOURCE).as_posix()
        for room in ("rules", "vasl", "los", "sheets", "web", "cli")
        for path in (SOURCE / room).rglob("*.py")
        if PRINTED.search(path.read_text(encoding="utf-8"))
    }
    assert asking == MAY_ASK.keys()


def test_rules_ask_the_map_what_burnt_or_fell() -> None:
    """Lists of what has changed are for the record and its sheets; terrain is asked of the map."""
    record = re.compile(r"ground\.(burnt|cleared)\b|[\"']rubble[\"'] in ")
    allowed = {
        "rules/board/facts.py",
        "rules/board/places.py",
        "rules/board/report/ground.py",
        "rules/board/rulings/sense.py",
        "rules/board/hasl/areas.py",
        "rules/platoon_leader/context.py",
        "rules/platoon_leader/reorganization/clearance.py",
        "rules/edsons_ridge/reminders.py",
    }
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "rules").rglob("*.py")
        if record.search(path.read_text(encoding="utf-8"))
    }
    assert found <= allowed, "ask `cg.map`, which is the ground as it is now"
