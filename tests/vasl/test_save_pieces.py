"""Pieces of saves of our own: names, kinds, nations, status, versions."""

from __future__ import annotations

import pytest

from laager.vasl.saves.counters import NATIONS, CounterKind, status_by_marker, status_in_name
from laager.vasl.saves.counters import _load_table as table
from laager.vasl.saves.game import Piece, Save, doubts
from laager.vasl.saves.save import save_of
from tests.vasl.save_writer import (
    OLD,
    Counter,
    Part,
    archive,
    board,
    concealed,
    game,
    hidden,
    label,
    layer,
    mark,
    old_layer,
    owner,
    stack,
)


def read(*counters: Counter, stacks: list[list[Counter]] | None = None, **how: str) -> Save:
    commands = [one.command() for one in counters]
    commands += [stack(f"s{number}", inside) for number, inside in enumerate(stacks or [])]
    return save_of(archive(game(*commands, **how)))


def one(*traits: Part, name: str = "4-6-7 1sq", slot: str = "", image: str = "") -> Piece:
    return read(Counter("1", name, list(traits), slot=slot, image=image)).pieces[0]


def piled(*names: str) -> list[Piece]:
    """Return the pieces of one stack, from the bottom to the top."""
    counters = [Counter(str(number), name) for number, name in enumerate(names)]
    return list(read(*counters, stacks=[counters]).pieces)


# Names


def test_a_level_without_a_plus_replaces_the_name() -> None:
    piece = one(layer("4-6-8 Esq", "2-4-8 Ehs", at=2), name="4-6-8 Esq")
    assert (piece.name, piece.basic) == ("2-4-8 Ehs", "4-6-8 Esq")


def test_levels_before_and_behind() -> None:
    piece = one(layer("+ BU"), layer("broken +"), name="PzKw VG")
    assert piece.name == "broken PzKw VG BU"


def test_layers_count_from_the_innermost() -> None:
    piece = one(layer("outer +"), layer("inner +"))
    assert piece.name == "outer inner 4-6-7 1sq"


@pytest.mark.parametrize("at", [-1, 0, -2])
def test_a_layer_that_is_off_changes_nothing(at: int) -> None:
    assert one(layer("broken +", at=at)).name == "4-6-7 1sq"


def test_a_level_without_a_name_or_beyond_the_list_changes_nothing() -> None:
    assert one(layer("a", "", at=2)).name == "4-6-7 1sq"
    assert one(layer("a", at=7)).name == "4-6-7 1sq"
    assert one(("emb2;short", "1")).name == "4-6-7 1sq"


def test_an_escaped_plus_stays_a_plus() -> None:
    assert one(layer("Gray \\+2 Smoke"), name="Smoke").name == "Gray +2 Smoke"
    assert one(layer("6\\+1"), name="geLDR").name == "6+1"


def test_the_older_state_of_a_layer() -> None:
    kind, _ = layer("broken +")
    assert one((kind, "1;AB")).name == "broken 4-6-7 1sq"
    assert one((kind, "-1;")).name == "4-6-7 1sq"
    assert one((kind, "what?")).name == "4-6-7 1sq"


def test_the_oldest_layers() -> None:
    assert one(old_layer("broken +")).name == "broken 4-6-7 1sq"
    assert one(old_layer("a", "", at=2)).name == "4-6-7 1sq"
    assert one(old_layer("a", at=-1)).name == "4-6-7 1sq"


def test_facing_and_hatch_are_not_the_unit() -> None:
    piece = one(layer("+ BU"), layer("+ tca5"), layer("+ vca3"), name="PzKw IVH")
    assert (piece.name, piece.unit) == ("PzKw IVH vca3 tca5 BU", "PzKw IVH")
    assert piece.facing == {"vca": "3", "tca": "5"}
    assert piece.status == ("buttoned up",)
    both = one(layer("+ Ptca3 Stca3/4"), layer("+ CE"), name="LCT(4)")
    assert (both.unit, both.status) == ("LCT(4)", ("crew exposed",))
    assert both.facing == {"Ptca": "3", "Stca": "3/4"}


def test_texts_are_shown_as_vasl_shows_them() -> None:
    piece = one(layer("+ BU"), label("Hans"), name="PzKw VIE")
    assert piece.shown == "PzKw VIE (Hans) BU"
    assert [(one.slot, one.text) for one in piece.labels] == [("Label", "Hans")]
    assert one(label("free", "$label$", "Line 2")).shown == "free"
    assert one(label("")).shown == "4-6-7 1sq"
    assert one(label("plain", "")).shown == "4-6-7 1sq (plain)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("$AxisCVP$", "CVP: 7"), ("$Unknown$", "CVP: ?"), ("pays $5$ or $AxisCVP$", "CVP: pays $5$ or $AxisCVP$")],
)
def test_a_label_that_shows_a_value_of_the_game_has_it(text: str, shown: str) -> None:
    counter = Counter("1", "CVP", [label(text, "$pieceName$: $label$")])
    save = save_of(archive(game(counter.command(), "GlobalProperty\t;AxisCVP;7;Casualties", "GlobalProperty\tAxisCVP")))
    assert save.pieces[0].shown == shown
    assert save.others["GlobalProperty"] == 2


def test_texts_of_several_lines_are_from_the_outermost_inwards() -> None:
    piece = one(label("first", "$label$"), label("second", "$label$", "Line 2"))
    assert [label.text for label in piece.labels] == ["first", "second"]


def test_hidden_and_concealed_pieces_are_shown_so() -> None:
    assert one(hidden("pw1")).shown == "4-6-7 1sq(HIP)"
    assert one(concealed("pw1")).shown == "4-6-7 1sq(?)"
    assert one(hidden(None), concealed(None)).shown == "4-6-7 1sq"


def test_names_are_bounded_whatever_a_file_does() -> None:
    piece = one(*[layer("a" * 150 + "+")] * 9, *[label("b" * 9000)] * 9)
    assert len(piece.name) == 200
    assert len(piece.shown) <= 40_000


# Status of its own


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("broken 4-6-7 1sq", ("broken",)),
        ("brk 4-6-7 1sq", ("broken",)),
        ("malf MMG", ("malfunctioned",)),
        ("Malf MMG", ("malfunctioned",)),
        ("Fanatic 4-6-7 1sq", ("fanatic",)),
        ("Berserk 4-6-7 1sq", ("berserk",)),
        ("Heroic 9-1", ("heroic",)),
        ("broken Wnd 8-1", ("broken", "wounded")),
        ("dm HMG", ("dismantled",)),
        ("Dismantled HMG", ("dismantled",)),
        ("Lmbd 105 ART", ("limbered",)),
        ("Prisoner SQ", ("prisoner",)),
        ("POW Leader", ("prisoner",)),
        ("Unarmed HS", ("unarmed",)),
        ("PzKw IVH BU", ("buttoned up",)),
        ("PzKw IVH CE", ("crew exposed",)),
        ("4-6-7 1sq", ()),
        ("unbroken +", ()),
    ],
)
def test_what_a_name_tells(name: str, status: tuple[str, ...]) -> None:
    assert status_in_name(name) == status
    assert one(name=name).status == status


def test_moved() -> None:
    assert one(("moved;moved58", "true")).status == ("moved",)
    assert one(("moved;moved58", "false")).status == ()


def test_constants() -> None:
    piece = one(mark(Hindrance="true", Location=""))
    assert (piece.hindrance, piece.marks_location) == (True, True)
    assert not one(mark(Hindrance="false")).hindrance
    assert one(mark(Hindrance="true"), mark(Hindrance="false")).hindrance


def test_turned() -> None:
    assert one(("rotate;6;88,130", "2")).turned == (6, 2)
    assert one(("rotate;6;88,130", "-1")).turned == (6, 5)
    assert one(("rotate;1;88,130", "-75.5;0")).turned == (1, 285)
    assert one(("rotate;1;88,130", "what")).turned == (1, 0)
    assert one(("rotate;0;88,130", "2")).turned is None
    assert one(("rotate;x", "2")).turned is None
    assert one().turned is None


def test_who_moved_it_is_told_by_the_outer_property() -> None:
    piece = one(owner("Anna"), owner("Bert"))
    assert piece.mover == "Anna"
    assert one(owner("")).mover is None
    assert one(("PROP;Level;", "3")).mover is None


# What a piece is


@pytest.mark.parametrize(
    ("name", "slot", "kind"),
    [
        ("4-6-8 Esq", "", CounterKind.MMC),
        ("4-6-8 Esq", "2364", CounterKind.MMC),  # a number of an older version
        ("9-9-9 Xsq", "", CounterKind.MMC),
        ("2-2-8 Vcr", "", CounterKind.MMC),
        ("10-3", "", CounterKind.SMC),
        ("7-0", "", CounterKind.SMC),
        ("Pin", "", CounterKind.STATUS),
        ("?", "", CounterKind.CONCEALMENT),
        ("GE Control", "", CounterKind.CONTROL),
        ("XY Control", "", CounterKind.CONTROL),
        ("T-34 M43 Wreck", "", CounterKind.WRECK),
        ("Wreck", "", CounterKind.WRECK),
        ("Blaze", "195", CounterKind.FIRE),
        ("Flame", "", CounterKind.FIRE),
        ("Smoke", "4121", CounterKind.OVERLAY),
        ("Smoke", "6", CounterKind.SMOKE),
        ("Smoke", "99999", CounterKind.SMOKE),
        ("Rubble", "", CounterKind.RUBBLE),
        ("Shellholes", "204", CounterKind.TERRAIN),
        ("Foxhole", "", CounterKind.FORTIFICATION),
        ("Roadblock", "", CounterKind.FORTIFICATION),
        ("Building", "163", CounterKind.LOCATION),
        ("GE Sniper: 4", "", CounterKind.UNKNOWN),
        ("nothing that is known", "", CounterKind.UNKNOWN),
    ],
)
def test_kinds(name: str, slot: str, kind: CounterKind) -> None:
    assert one(name=name, slot=slot).kind == kind


def test_a_name_that_a_layer_gives_tells_the_kind() -> None:
    assert one(layer("GE Control"), name="my own").kind == CounterKind.CONTROL
    assert one(layer("Pin"), name="my own").kind == CounterKind.STATUS


def test_pieces_of_no_known_kind_are_told() -> None:
    save = read(Counter("1", "strange thing", [("nosuchtrait;a", ""), ("bad name;x", "")]))
    assert save.unknown == {"?": 1, "nosuchtrait": 1}
    assert doubts(save, save.pieces) == (
        "pieces of no kind that is known here: 1",
        "traits of an unknown kind that were skipped: 2",
    )


def test_known_traits_are_not_counted() -> None:
    assert read(Counter("1", "Pin", [("report;x", "-1"), ("immob;ig", "")])).unknown == {}


@pytest.mark.parametrize(
    ("traits", "image", "nation"),
    [
        ([concealed(None, "ge")], "hu/hu447", "hu"),
        ([concealed(None, "ge"), layer("x", pictures=["hu/huHS"])], "", "hu"),
        ([concealed(None, "ru")], "LMG", "ru"),
        ([concealed(None, "ge")], "sh/Boat", "ge"),
        ([("concealment;pw;fi", "")], "ge", "fi"),
        ([], "ge/geLMG", "ge"),
        ([], "ge/veh/pzvie", "ge"),
        ([], "brLMG", "br"),
        ([], "sh/Pris", "sh"),
        ([], "gear/thing", None),
        ([], "MS/pin", None),
        ([layer("x", pictures=["ja/jaL80"])], "", "ja"),
        ([concealed(None, "zz")], "", None),
    ],
)
def test_nations(traits: list[Part], image: str, nation: str | None) -> None:
    piece = one(*traits, name="some thing", image=image)
    assert piece.nation == nation
    assert piece.nationality == NATIONS.get(nation or "")


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        ("ge/veh/pz9", CounterKind.VEHICLE),
        ("ru/vehicles/kv9", CounterKind.VEHICLE),
        ("hu/gun/x40", CounterKind.GUN),
        ("al/guns/x40", CounterKind.GUN),
        ("veh/pz9", CounterKind.UNKNOWN),
        ("ge/pz9", CounterKind.UNKNOWN),
    ],
)
def test_pieces_of_extensions_are_told_by_the_folder_of_their_picture(image: str, kind: CounterKind) -> None:
    assert one(name="Something New", image=image).kind is kind
    assert one(layer("Something", pictures=[image]), name="Something New").kind is kind
    assert one(name="Something New Wreck", image=image).kind is CounterKind.WRECK


def test_the_table_of_counters_tells_a_nation_last() -> None:
    assert one(name="T-34 M43").nation == "ru"


def test_the_tables_are_sound() -> None:
    names, slots = table()
    assert len(names) > 2000
    assert {row.nation for row in names.values()} <= {None, *NATIONS}
    assert {name for name, _ in slots} <= set(names)
    assert {row.kind for row in names.values()} >= set(CounterKind) - {CounterKind.WRECK, CounterKind.UNKNOWN}
    assert all(name == name.strip() and status for name, status in status_by_marker().items())


def test_the_slot_is_only_taken_from_a_number() -> None:
    assert one(slot="adf:276").slot == "adf:276"
    assert one(slot="2598").slot == "2598"
    assert one(slot="whatever").slot is None


# Versions


def test_an_old_save() -> None:
    counter = Counter("1", "4-6-7 1sq", at=(456, 464), map=OLD)
    save = save_of(archive(game(counter.command(), boards=board(0, 0, "01")), vasl="5.9"))
    assert save.vasl == "5.9"
    assert save.pieces[0].on_map
    assert save.pieces[0].place.location == "01B1"


def test_a_newer_save_has_more_behind_the_slot() -> None:
    more = ";3;OldMap;Main Map;OldX;5;OldY;6"
    counter = Counter("1", "4-6-7 1sq", at=(456, 464), slot="12", more=more)
    save = save_of(archive(game(counter.command(), boards=board(0, 0, "01")), vassal="3.6.7"))
    assert (save.vassal, save.pieces[0].slot) == ("3.6.7", "12")
    assert save.pieces[0].place.location == "01B1"


def test_a_game_in_plain_text() -> None:
    text = game(Counter("1", "4-6-7 1sq").command())
    assert len(save_of(archive(text, key=None)).pieces) == 1


def test_a_log_is_read_as_it_starts() -> None:
    text = game(Counter("1", "4-6-7 1sq").command()) + "\x1bLOG\tM/1/Main Map/5/5\x1bLOG\tCHAT hi"
    save = save_of(archive(text))
    assert (len(save.pieces), save.steps) == (1, 2)


def test_scenario_information() -> None:
    save = save_of(archive(game(info="INFO\tAxis\tAllied\t3\t3 \t ? \t4\t2\t?\tA\tnotes")))
    assert save.info is not None
    assert (save.info.first, save.info.now, save.info.turn) == ("Axis", "Allied", "3")
    assert (save.info.axis_elr, save.info.axis_san, save.info.allied_elr) == ("3", "", "4")
    assert (save.info.allied_san, save.info.axis_traps, save.info.allied_traps) == ("2", "", "A")
    assert save_of(archive(game(info="CHAT"))).info is None


def test_notes_comment_and_extensions() -> None:
    text = game("EXT\tVASLOverlays\t1.01", "NOTES\tmind the gap|twice")
    save = save_of(archive(text, comment="after turn 3"))
    assert save.extensions == (("VASLOverlays", "1.01"),)
    assert (save.notes, save.comment) == ("mind the gap|twice", "after turn 3")
    assert save.saved == "2019-08-03T01:25:08.589+00:00"


# Newer versions


@pytest.mark.parametrize("ending", ["", ".svg", ".png", ".gif"])
@pytest.mark.parametrize(
    ("image", "name", "kind", "nation"),
    [
        ("ru/ru458S", "4-5-8 Nsq", CounterKind.MMC, "ru"),
        ("ge/veh/panther", "Panther of an extension", CounterKind.VEHICLE, "ge"),
        ("fr/gun/f75", "75 of an extension", CounterKind.GUN, "fr"),
        ("CIDs/class_E", "A thing", CounterKind.UNKNOWN, None),
    ],
)
def test_no_piece_is_known_by_the_ending_of_its_picture(
    ending: str, image: str, name: str, kind: CounterKind, nation: str | None
) -> None:
    piece = one(name=name, image=f"{image}{ending}")
    assert (piece.kind, piece.nation) == (kind, nation)


def test_traits_of_newer_versions_are_no_doubt() -> None:
    letters = ("emb2;;128;A;;128;;;128;;;;0;false;0;0;CIDs/class_E.svg,CIDs/class_1.svg;,;false;classId", "2")
    traits = [("hideCmd;;Disable;{iCVP==1};66\\,650", ""), ("footprint;84,130;MoveTrail", "|false|1;")]
    traits += [(f"{id_};a;b", "") for id_ in ("mat", "matPiece", "calcProp", "restrict", "nonRect2", "basicName")]
    piece = one(*traits, letters, name="6-2-8 Esq", slot="15471")
    assert (piece.name, piece.slot, piece.unread) == ("6-2-8 Esq", "15471", ())


def test_a_deck_is_counted_and_no_piece() -> None:
    deck = "+/Deck1/deck;false;Always;Draw Pile/Main Map;100;100;true;7"
    save = save_of(archive(game(deck, Counter("7", "4-6-7 1sq").command())))
    assert [piece.id for piece in save.pieces] == ["7"]
    assert save.others["deck"] == 1


def test_a_draggable_overlay_of_newer_versions_is_read() -> None:
    overlay = "+/9/overlayPiece;;;ov\\/w1.svg;W1 overlay/Main Map;600;600;14001;0"
    (piece,) = save_of(archive(game(overlay))).pieces
    assert (piece.name, piece.slot, piece.x) == ("W1 overlay", "14001", 600)
