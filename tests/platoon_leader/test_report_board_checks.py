"""What is wrong with the rest of a battle report: ground, works, artillery, points (PL 2.9)."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.platoon_leader.facts import GroupJoined
from laager.rules.platoon_leader.state import Group
from tests.platoon_leader.battle import assert_said, battle, wrong

WRONG_BOARD: list[tuple[str, str, dict[str, Any], list[str]]] = [
    (
        "Control of open ground",
        "axis",
        {"control": [{"location": "E5", "side": "axis"}]},
        ["control[1].location: E5 is not Strategic Terrain; Strategic are C4, C8, D7, G2, K4, K9"],
    ),
    (
        "Control off the map",
        "axis",
        {"control": [{"location": "S1", "side": "axis"}]},
        ["control[1].location: there is no hex 'S1' on the map Walkthrough…"],
    ),
    (
        "Control twice, and of nobody's side",
        "axis",
        {
            "control": [
                {"location": "C8", "side": "axis"},
                {"location": "C8", "side": "nobody"},
                {"location": "K9", "side": "germans"},
            ]
        },
        [
            "control[3].side: germans is not one of the choices; one of axis, allied, nobody",
            "control[1].location: C8 is listed twice; list it once",
            "control[2].location: C8 is listed twice; list it once",
        ],
    ),
    (
        "fires",
        "axis",
        {
            "fires": [
                {"at": "M22", "now": "flame"},
                {"at": "A1", "now": "blaze"},
                {"at": "M1", "now": "flame"},
                {"at": "M1", "now": "blaze"},
                {"at": "M4", "now": "none"},
            ]
        },
        [
            "fires[1].at: there is no hex 'M22' on the map Walkthrough…",
            "fires[2].now: A1 is burnt down; leave the row out",
            "fires[3].at: M1 is listed twice; list it once",
            "fires[4].at: M1 is listed twice; list it once",
            "fires[5].now: there was no fire in M4; leave the row out",
        ],
    ),
    (
        "terrain",
        "axis",
        {
            "terrain": [
                {"at": "C4", "what": "rubble", "gone": True},
                {"at": "C4.1", "what": "rubble"},
                {"at": "D4", "what": "shellholes"},
                {"at": "D4", "what": "shellholes"},
            ]
        },
        [
            "terrain[1].gone: there was no rubble in C4; leave the row out",
            "terrain[2].at: C4 has no Location C4.1; it has C4",
            "terrain[3].at: shellholes in D4 is listed twice; list it once",
            "terrain[4].at: shellholes in D4 is listed twice; list it once",
        ],
    ),
    (
        "fortifications",
        "allied",
        {
            "forts": [
                {"do": "removed", "fort": "AXF1"},
                {"do": "revealed", "fort": "ALF1"},
                {"do": "removed", "fort": "ALF1"},
                {"do": "placed", "at": "D12", "fort": "X"},
            ]
        },
        [
            "forts[1].fort: you know of no fortification 'AXF1'; did you mean ALF1?",
            "forts[2].fort: ALF1 is on the map already; leave it out",
            "forts[2].fort: ALF1 is listed twice; list it once",
            "forts[3].fort: ALF1 is listed twice; list it once",
            "forts[4].kind: a fortification was placed, but which?; add kind",
            "forts[4].fort: a fortification placed in play has no number yet; leave fort out",
            "forts[4].at: there is no hex 'D12' on the map Walkthrough…",
        ],
    ),
    (
        "somebody else's fortification",
        "axis",
        {"forts": [{"do": "revealed", "fort": "ALF1"}]},
        ["forts[1].fort: ALF1 is not yours; its owner reveals it"],
    ),
    (
        "artillery that is none",
        "axis",
        {"oba": [{"group": "I1/1", "used": True}, {"group": "O1/1", "used": True}, {"group": "O1/1", "used": False}]},
        [
            "oba[1].group: you have no OBA module 'I1/1'; did you mean O1/1?",
            "oba[2].group: O1/1 is listed twice; list it once",
            "oba[3].group: O1/1 is listed twice; list it once",
        ],
    ),
    (
        "points",
        "axis",
        {"cvp": [{"points": 0, "why": " "}, {"points": 2, "why": "exit"}], "san": -4},
        [
            "cvp[1].points: 0 CVP change nothing; leave the row out",
            "cvp[1].why: CVP for what?; say it in a few words",
            "san: this would make your SAN -1; it is from 0 to 7",
        ],
    ),
    (
        "weapons that nobody has, held by nobody",
        "axis",
        {
            "taken": [
                {"type": "Laser", "by": "AX1"},
                {"type": "4-4-7", "by": "AX5"},
                {"type": "LMG", "by": "AX99", "marks": ["broken"]},
                {"type": "LMG", "by": "AX9", "marks": ["hip", "captured"]},
            ]
        },
        [
            "taken[4].marks[2]: captured is not one of the choices…",
            "taken[1].type: neither side has a weapon 'Laser'; one of LMG, MMG, HMG, .50-cal, "
            "ATR, 37 MTR, 50* MTR, dm 82* MTR, MOL-P, FT, DC, Radio, …",
            "taken[2].type: neither side has a weapon '4-4-7'…",
            "taken[2].by: PzIVF2 (AX5) can't possess it; personnel on the map that is…",
            "taken[3].marks: LMG is an SW and can't be marked broken; "
            "it goes on armor leader, commissar, crew, half-squad, leader, squad",
            "taken[3].by: you have no unit 'AX99'; did you mean AX9?",
            "taken[4].by: 4-6-7 (AX9) can't possess it; personnel on the map that isn't captured",
        ],
    ),
    (
        "new units",
        "axis",
        {
            "new": [
                {"type": "9-9-9", "at": "C4"},
                {"type": "1-4-9", "at": "Z1", "kind": "commissar"},
                {"type": "2-4-7", "at": "C4", "from": "AX77", "name": "A", "marks": ["hip"]},
                {"type": "2-4-7", "at": "C4", "name": "A", "with": "AX5"},
                {"type": "2-4-7", "at": "C4", "name": "AL5"},
            ]
        },
        [
            "new[1].type: the German catalogue has no '9-9-9' (type); one of 8-3-8, 5-4-8…",
            "new[2].kind: 1-4-9 can't be a commissar; leave kind out",
            "new[2].at: there is no hex 'Z1' on the map Walkthrough…",
            "new[3].marks: a new unit can't be hip; leave it out",
            "new[3].from: you had no unit 'AX77' in play; did you mean AX7?",
            "new[4].at: 2-4-7 (A) is in C4, but PzIVF2 (AX5) is in E5; at: E5, or with: ''",
            "new[4].name: A is another unit; another name",
            "new[5].name: AL5 is another unit; another name",
        ],
    ),
]


@pytest.mark.parametrize(
    ("side", "report", "said"), [case[1:] for case in WRONG_BOARD], ids=[case[0] for case in WRONG_BOARD]
)
def test_wrong_rows_of_the_rest(side: str, report: dict[str, Any], said: list[str]) -> None:
    cg = battle()
    cg.state = cg.state.with_ground(burnt=frozenset({"A1"}))
    assert_said(wrong(cg, side, **report), said)


def test_artillery_used_up_unusable_or_too_much() -> None:
    cg = battle()
    base = cg.state.groups["axis", "O1/1"]
    for number, more in ((2, {"usable": False}), (3, {"used": True}), (4, {}), (5, {})):
        group = Group.model_validate(base.model_dump() | {"id": f"O1/{number}"} | more)
        cg.state = GroupJoined(group=group).apply(cg.state)
    rows = [{"group": f"O1/{number}", "used": True} for number in range(1, 6)]
    assert wrong(cg, "axis", oba=rows) == [
        "oba[2].used: O1/2 was not one of the modules usable in this battle; used: no (PL CG4)",
        "oba[3].group: O1/3 was used up before this battle; leave it out",
        "oba: you used 5 modules; 2 at most (PL CG4)",
    ]


def test_what_a_report_itself_builds_is_strategic_terrain() -> None:
    cg = battle()
    control = [{"location": "E5", "side": "axis"}, {"location": "D4", "side": "axis"}]
    assert len(wrong(cg, "axis", control=control)) == 2
    more: dict[str, Any] = {
        "forts": [{"do": "placed", "kind": "foxhole", "size": "1", "at": "E5"}],
        "terrain": [{"at": "D4", "what": "rubble"}],
    }
    assert wrong(cg, "axis", control=control, **more) == []


def test_a_captured_weapon_is_neither_hidden_nor_a_wreck() -> None:
    taken = [{"type": "LMG", "by": "AX1", "marks": ["hip"]}, {"type": "T-34 M41", "by": "AX1", "marks": ["wreck"]}]
    assert wrong(battle(), "axis", taken=taken) == [
        "taken[1].marks: a captured SW can't be hip; leave it out",
        "taken[2].marks: a captured AFV can't be wreck; leave it out",
    ]
