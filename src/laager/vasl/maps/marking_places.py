"""Names, areas, Blocks and arrows that changes to a map give, move, rename and take away."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from laager.base import did_you_mean
from laager.hexmap import HexMap, derive_blocks, update_block_lists, update_block_names
from laager.vasl.maps.mapwriter import Entries, Lists, compact
from laager.vasl.maps.marking_names import HexFinder

LONGEST = 60
"""Most characters of a name."""
FREE = ("name", "setup", "block", "owner", "arrow")
"""Words that a text follows, to the end of the change."""
PLACES = (
    *("strategic", "-strategic", "-name", "-setup", "-block", "no-block", "-no-block"),
    *("arrow", "-arrow", "-owner", "single", "-single", "same-edge", "-same-edge"),
)
RENAMED = ("setup", "block", "arrow", "name")
"""Things that changes can rename or move: `setup:Old=New`, `arrow:A5=A7`."""
NOTHING = "-"
"""Stands for a name that goes away."""

_TEXT = re.compile(r"[^\x00-\x1f\x7f#=\ud800-\udfff]+")


class Places:
    """What a map file says of names, areas, Blocks and arrows."""

    def __init__(self, data: Mapping[str, Any], named: HexFinder) -> None:
        self.named = named
        self.lists: dict[str, dict[str, list[str]]] = {
            part: {name: named.main_names(texts) for name, texts in (data.get(part) or {}).items()}
            for part in ("setup_areas", "blocks")
        }
        self.plain = {part: named.main_names(data.get(part) or ()) for part in ("no_block", "strategic")}
        self.texts = {named.map.main(name): label for name, label in (data.get("names") or {}).items()}
        self.keys = {named.map.main(name): name for name in data.get("names") or {}}
        self.blocks = {block: named.map.main(name) for block, name in (data.get("block_names") or {}).items()}
        self.entries = [dict(entry) for entry in data.get("entry_areas") or ()]
        self.arrows: list[dict[str, Any] | None] = [dict(entry) for entry in self.entries]
        self.before = self._copy()

    def _copy(self) -> dict[str, Any]:
        lists = {part: {name: list(own) for name, own in areas.items()} for part, areas in self.lists.items()}
        plain = {part: list(own) for part, own in self.plain.items()}
        return {"lists": lists, "plain": plain, "texts": dict(self.texts), "blocks": dict(self.blocks)}

    # Words about hexes

    def word(self, change: str, hexes: Sequence[str], word: str) -> None:
        """Take up one word of `PLACES`, or of `FREE` with its text."""
        kind, colon, text = word.partition(":")
        if colon:
            name = self._text(change, text)
            if name is None:
                return
            self._take_free_text(change, hexes, kind, name)
            return
        off = word.startswith("-")
        acts: dict[str, Callable[[], None]] = {
            "strategic": lambda: self._put_on_plain_list("strategic", hexes, there=not off),
            "no-block": lambda: self._no_block(hexes, there=not off),
            "name": lambda: self._unname(hexes),
            "setup": lambda: self._move_into("setup_areas", "", hexes),
            "block": lambda: self._unblock(hexes),
            "arrow": lambda: self._unarrow(hexes) if off else self._arrow(hexes, ""),
            "owner": lambda: self._arrow_field(change, hexes, "owner", None),
            "single": lambda: self._arrow_field(change, hexes, "single", None if off else True),
            "same-edge": lambda: self._arrow_field(change, hexes, "same_edge_only", None if off else True),
        }
        acts[word.removeprefix("-")]()

    def _take_free_text(self, change: str, hexes: Sequence[str], kind: str, text: str) -> None:
        if kind == "name":
            self.texts |= dict.fromkeys(hexes, text)
        elif kind == "setup":
            self._move_into("setup_areas", text, hexes)
        elif kind == "block" and self.lists["blocks"]:
            self._move_into("blocks", text, hexes)
        elif kind == "block":
            self.blocks = {text: hexes[0]} | {name: hex_name for name, hex_name in self.blocks.items() if name != text}
        elif kind == "owner":
            self._arrow_field(change, hexes, "owner", text)
        else:
            self._arrow(hexes, text)

    def _text(self, change: str, text: str) -> str | None:
        text = text.strip()
        if _TEXT.fullmatch(text) and len(text) <= LONGEST and text != NOTHING:
            return text
        problem = f"{text[:LONGEST]!r} can't be a name" if text else "the name is missing"
        self.named.wrong(change, problem, f"1 to {LONGEST} characters on one line, without = and #")
        return None

    def _move_into(self, part: str, area: str, hexes: Sequence[str]) -> None:
        """Put hexes into an area and out of all others; without a name out of all."""
        moved = set(hexes)
        for name, own in self.lists[part].items():
            if name != area and not moved.isdisjoint(own):
                own[:] = [hex_name for hex_name in own if hex_name not in moved]
        if area:
            names = self.lists[part].setdefault(area, [])
            names += [hex_name for hex_name in hexes if hex_name not in names]

    def _put_on_plain_list(self, part: str, hexes: Sequence[str], *, there: bool) -> None:
        names = self.plain[part]
        names[:] = [hex_name for hex_name in names if hex_name not in hexes or there]
        names += [hex_name for hex_name in hexes if there and hex_name not in names]

    def _no_block(self, hexes: Sequence[str], *, there: bool) -> None:
        self._put_on_plain_list("no_block", hexes, there=there)
        if there:
            self._move_into("blocks", "", hexes)

    def _unname(self, hexes: Sequence[str]) -> None:
        for name in hexes:
            self.texts.pop(name, None)

    def _unblock(self, hexes: Sequence[str]) -> None:
        self._move_into("blocks", "", hexes)
        unlisted = {self.named.map.blocks.block_at(name) for name in hexes}
        self.blocks = {name: hex_name for name, hex_name in self.blocks.items() if name not in unlisted}

    # Arrows

    def _at(self, name: str) -> dict[str, Any] | None:
        return next((arrow for arrow in self.arrows if arrow and self.named.map.main(arrow["arrow"]) == name), None)

    def _arrow(self, hexes: Sequence[str], colour: str) -> None:
        for name in hexes:
            arrow = self._at(name)
            if arrow is None:
                arrow = {"arrow": name}
                self.arrows.append(arrow)
            if colour:
                arrow["colour"] = colour

    def _unarrow(self, hexes: Sequence[str]) -> None:
        self.arrows = [
            None if arrow and self.named.map.main(arrow["arrow"]) in hexes else arrow
            for i, arrow in enumerate(self.arrows)
            if arrow or i < len(self.entries)
        ]

    def _arrow_field(self, change: str, hexes: Sequence[str], field: str, value: Any) -> None:
        for name in hexes:
            arrow = self._at(name)
            if arrow is None:
                self.named.wrong(change, f"there is no arrow in {name}", f"put one there first: {name}=arrow")
            elif value is None:
                arrow.pop(field, None)
            else:
                arrow[field] = value

    # Renaming and moving

    def rename(self, change: str, kind: str, old: str, new: str) -> None:
        """Rename an area or a Block, move an arrow or a name; `-` takes it away."""
        old, new = old.strip(), new.strip()
        if kind in {"arrow", "name"}:
            self._move(change, kind, old, new)
            return
        areas: dict[str, Any] = self.lists["setup_areas"]
        if kind == "block":
            areas = self.lists["blocks"] or self.blocks
        if old not in areas:
            area_kind = "Setup Area" if kind == "setup" else "Block with a name of its own"
            self.named.wrong(change, f"there is no {area_kind} {old!r}", did_you_mean(old, areas, "there are"))
            return
        new_name = new if new == NOTHING else self._text(change, new)
        if new_name is None or new_name == old:
            return
        if new_name in areas:
            self.named.wrong(change, f"{new_name} is the name of another one", "choose another name")
            return
        value = areas.pop(old)
        if new_name != NOTHING:
            areas[new_name] = value

    def _move(self, change: str, kind: str, old: str, new: str) -> None:
        at = self.named.hexes(change, [old])
        to = [] if new == NOTHING else self.named.hexes(change, [new])
        if not at or (new != NOTHING and not to):
            return
        if kind == "name":
            label = self.texts.get(at[0])
            if label is None:
                self.named.wrong(change, f"there is no name in {at[0]}", f"give it one: {at[0]}=name:…")
            elif to != at:
                del self.texts[at[0]]
                self.texts |= dict.fromkeys(to, label)
            return
        arrow = self._at(at[0])
        if arrow is None:
            self.named.wrong(change, f"there is no arrow in {at[0]}", f"put one there first: {at[0]}=arrow")
        elif to and to != at and self._at(to[0]):
            self.named.wrong(change, f"there is an arrow in {to[0]} already", "one Entry Area for each arrow")
        elif to:
            arrow["arrow"] = to[0]
        else:
            self._unarrow(at)

    # What becomes of the file

    def changed_lists(self) -> dict[str, Lists]:
        """Return the areas and names that differ now."""
        changed: dict[str, Lists] = {}
        areas, before = self.lists["setup_areas"], self.before["lists"]["setup_areas"]
        now: dict[str, Any] = {name: compact(own) or None for name, own in areas.items() if own != before.get(name)}
        changed["setup_areas"] = now | {name: None for name in before if name not in areas}
        before = self.before["texts"]
        texts: dict[str, Any] = {
            self.keys.get(name, name): label for name, label in self.texts.items() if label != before.get(name)
        }
        changed["names"] = texts | {self.keys[name]: None for name in before if name not in self.texts}
        return {part: now for part, now in changed.items() if now}

    def changed_plain(self) -> dict[str, list[str]]:
        """Return the plain lists of hexes that differ now."""
        return {part: compact(own) for part, own in self.plain.items() if own != self.before["plain"][part]}

    def changes(self) -> dict[str, Entries]:
        """Return what becomes of the Entry Areas."""
        known = len(self.entries)
        changed = {i: arrow for i, arrow in enumerate(self.arrows[:known]) if arrow != self.entries[i]}
        added = [arrow for arrow in self.arrows[known:] if arrow]
        return {"entry_areas": Entries(self.entries, changed, added)} if changed or added else {}

    @property
    def of_blocks(self) -> bool:
        """True if the map names or lists Blocks, or did: then they follow its streets."""
        before = self.before["blocks"] or self.before["lists"]["blocks"]
        return bool(before or self.blocks or self.lists["blocks"])

    def settled_blocks(self, bare: HexMap) -> dict[str, Lists]:
        """Return what becomes of the Blocks on a map that says nothing of Blocks itself, after its other changes."""
        derived = derive_blocks(bare)
        if self.lists["blocks"]:
            lists = update_block_lists(bare, derived, self.lists["blocks"])
            before = self.before["lists"]["blocks"]
            now: dict[str, Any] = {name: compact(own) for name, own in lists.items() if own != before.get(name)}
            return {"blocks": now | {name: None for name in before if name not in lists}}
        for name, hex_ in self.blocks.items():
            if derived.block_at(hex_) is None and hex_ != self.before["blocks"].get(name):
                problem = f"{hex_} is in no Block: it is road, river, Blockhouse or not playable"
                self.named.wrong(f"{hex_}=block:{name}", problem, "name a hex inside the Block")
        names = update_block_names(bare, derived, self.blocks, self.named.map.blocks.hexes)
        before = self.before["blocks"]
        changed: dict[str, Any] = {name: hex_ for name, hex_ in names.items() if hex_ != before.get(name)}
        return {"block_names": changed | {name: None for name in before if name not in names}}
