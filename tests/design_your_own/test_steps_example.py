"""The German purchase of September 1944, led through all steps with the dice of the example."""

from __future__ import annotations

from typing import Any

from laager.campaign.engine import Campaign
from laager.rules.design_your_own.ob import OrderOfBattle
from tests.design_your_own.harness import new_purchase, ob_of, proven

GERMAN: list[tuple[str, Any]] = [
    (
        "infantry",
        {
            "lines": [
                {"type": "4-6-8", "number": 3},
                {"type": "4-6-8", "number": 4, "sappers": True},
                {"type": "8-3-8", "number": 3, "engineers": True},
                {"type": "4-6-7", "number": 12},
                {"type": "4-3-6", "number": 10},
            ]
        },
    ),
    ("san", 2),
    ("ordnance-dr", True),
    ("roll", [4, 5]),
    # 112 points, so that 220 are left for OBA as in the example.
    ("ordnance", [{"type": "75* INF leIG 18", "number": 4}]),
    ("vehicles-dr", {"roll": True, "motorized": False}),
    ("roll", [4, 6]),
    ("vehicles", [{"type": "PzIVH", "number": 3}]),
    ("optional-armament", []),
    ("fittings", []),
    ("armor-leader-dr", ["PzIVH:A", "PzIVH:B", "PzIVH:C"]),
    ("roll", [5, 5]),
    ("oba-dr", True),
    ("roll", [4, 6]),
    ("battery", {"buy": True, "contact": "radio"}),
    ("oba-dr", True),
    ("roll", [1, 1]),
    ("battery", {"buy": True, "ammunition": "plentiful", "contact": "phone"}),
    ("air-support-dr", False),
    ("fortifications", []),
    ("second-infantry", {"lines": [{"type": "4-6-8", "number": 3}]}),
]

RUSSIAN: list[tuple[str, Any]] = [
    ("infantry", {"lines": [{"type": "4-4-7", "number": 10}]}),
    ("san", 2),
    ("ordnance-dr", False),
    ("vehicles-dr", {"roll": False, "motorized": False}),
    ("vehicles", []),
    ("oba-dr", False),
    ("air-support-dr", False),
    ("fortifications", []),
    ("second-infantry", {"lines": [{"type": "6-2-8", "number": 7}]}),
    ("reinforcements", [{"line": "2", "number": 4}]),
]


def tell(campaign: Campaign, side: str, answers: list[tuple[str, Any]]) -> None:
    for key, value in answers:
        campaign.answer(side, key, value)


def bought() -> Campaign:
    campaign = new_purchase(entered=True, allied={"points": 154})
    tell(campaign, "axis", GERMAN)
    tell(campaign, "allied", RUSSIAN)
    return campaign


def test_line_by_line_to_the_last_point() -> None:
    ob = ob_of(bought(), "axis")
    assert [(one.type, one.each, one.total) for one in ob.infantry_of_purchase("first")] == [
        ("4-6-8", 15, 45),
        ("4-6-8", 22, 88),
        ("8-3-8", 34, 102),
        ("4-6-7", 12, 144),
        ("4-3-6", 7, 70),
    ]
    assert ob.spent["infantry"] == 449
    assert ob.subtotals["infantry"] == 551
    assert [one.key for one in ob.vehicles.entries] == ["PzIVH:A", "PzIVH:B", "PzIVH:C"]
    assert ob.vehicles.spent == 219
    assert [(one.letter, one.text, one.contact, one.total) for one in ob.batteries] == [
        ("A", "70+", "radio", 63),
        ("B", "80+M", "phone", 111),
    ]
    assert ob.spent["oba"] == 174
    assert ob.subtotals["oba"] == 46
    assert ob.mpv("second") == 45
    assert ob.left == 1


def test_announced_elr_and_bonus() -> None:
    campaign = bought()
    assert campaign.state.announced == {"axis": 3, "allied": 4}
    assert ob_of(campaign, "axis").bonus == "5"
    assert ob_of(campaign, "allied").bonus == ""
    assert next(one.key for one in campaign.pending() if one.side == "axis") == "bonus"


def finished() -> Campaign:
    campaign = bought()
    tell(
        campaign,
        "axis",
        [
            ("bonus", [{"type": "4-6-7", "squads": 5}]),
            (
                "leaders",
                [
                    {"leader": "8-0", "number": 4},
                    {"leader": "8-1", "number": 3},
                    {"leader": "9-1", "number": 2},
                    {"leader": "9-2", "number": 1},
                ],
            ),
            ("trade", True),
            ("leader-exchange-dr", True),
            ("roll", [1, 1]),
        ],
    )
    return campaign


def equivalents(ob: OrderOfBattle) -> list[int]:
    return [ob.equivalents[name] for name in ("elite", "line", "conscript")]


def test_bonus_equivalents_leaders_and_sw() -> None:
    ob = ob_of(finished(), "axis")
    assert [(one.type, one.number, one.total) for one in ob.infantry_of_purchase("bonus")] == [("4-6-7", 5, 0)]
    assert equivalents(ob) == [17, 17, 7]
    assert ob.leaders is not None
    assert (ob.leaders.count, ob.leaders.extra, ob.leaders.traded) == (10, "7-0", "10-2")
    assert ob.leaders.held == {"7-0": 1, "8-0": 3, "8-1": 3, "9-1": 2, "9-2": 1, "10-3": 1}
    assert (ob.leaders.lost, ob.leaders.gained) == ("10-2", "10-3")
    assert {one.type: one.number for one in ob.sw} == {
        "LMG": 10,
        "MMG": 6,
        "HMG": 4,
        "50* MTR": 3,
        "PSK": 6,
        "FT": 2,
        "DC": 4,
    }
    assert ob.left == 1


def test_the_russian_half_enters_later() -> None:
    ob = ob_of(finished(), "allied")
    assert (ob.mpv("first"), ob.mpv("second"), ob.left) == (70, 84, 0)
    assert [one.reinforcements for one in ob.infantry] == [0, 4]


def test_the_whole_purchase_can_be_proven() -> None:
    campaign = finished()
    for _ in range(30):
        waiting = campaign.pending()
        if not waiting:
            break
        if waiting[0].question is None:
            campaign.answer(waiting[0].side, "roll", [3, 4])
        else:
            campaign.answer(waiting[0].side, waiting[0].key, waiting[0].question.default)
    assert campaign.state.over
    proven(campaign)
