"""Names, areas, Blocks and arrows that changes to a map give, move, rename and take away."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from laager.base import did_you_mean
from laager.hexmap import HexMap, derive_blocks, update_block_lists, update_block_names
from laager.vasl.maps.mapwriter import Entries, Lists, compact
from laager.vasl.maps.marking_names import Named

LONGEST = 60
"""Most characters of a name."""
FREE = ("name", "setup", "block", "owner", "arrow")
"""Words that a text follows, to the end of the change."""
PLACES = (
    *("strategic", "-strategic", "-name", "-setup", "-block", "no-block", "-no-block"),
    *("arrow", "-arrow", "-owner", "single", "-single", "same-edge", "-same-edge"),
)
RENAMED = ("setup", "block", "arrow", "name")
"""What changes can rename or move: `setup:Old=New`, `arrow:A5=A7`."""
NOTHING = "-"
"""What a name becomes that goes away."""

_TEXT = re.compile(r"[^\x00-\x1f\x7f#=\ud800-\udfff]+")


class Places:
    """What a map file says of names, areas, Blocks and arrows."""

    def __init__(self, data: Mapping[str, Any], named: Named) -> None:
        self.named = named
        self.lists: dict[str, dict[str, list[str]]] = {
            part: {name: named.spelled(texts) for name, texts in (data.get(part) or {}).items()}
            for part in ("setup_areas", "blocks")
        }
        self.plain = {part: named.spelled(data.get(part) or ()) for part in ("no_block", "strategic")}
        self.texts = {named.map.main(name): label for name, label in (data.get("names") or {}).items()}
        self.keys = {named.map.main(name): name for name in data.get("names") or {}}
        self.blocks = {block: named.map.main(name) for block, name in (data.get("block_names") or {}).items()}
        self.entries = [dict(entry) for entry in data.get("entry_areas") or ()]
        self.arrows: list[dict[str, Any] | None] = [dict(entry) for entry in self.entries]
        self.before = self._copied()

    def _copied(self) -> dict[str, Any]:
        lists = {part: {name: list(own) for name, own in areas.items()} for part, areas in self.lists.items()}
        plain = {part: list(own) for part, own in self.plain.items()}
        return {"lists": lists, "plain": plain, "texts": dict(self.texts), "blocks": dict(self.blocks)}

    # Words about hexes

    def word(self, change: str, hexes: Sequence[str], word: str) -> None:
        """Take up one word of `PLACES`, or of `FREE` with its text."""
        kind, colon, text = word.partition(":")
        if colon:
            told = self._text(change, text)
            if told is None:
                return
            self._free(change, hexes, kind, told)
            return
        off = word.startswith("-")
        acts: dict[str, Callable[[], None]] = {
            "strategic": lambda: self._listed("strategic", hexes, there=not off),
            "no-block": lambda: self._no_block(hexes, there=not off),
            "name": lambda: self._unname(hexes),
            "setup": lambda: self._into("setup_areas", "", hexes),
            "block": lambda: self._unblock(hexes),
            "arrow": lambda: self._unarrow(hexes) if off else self._arrow(hexes, ""),
            "owner": lambda: self._arrow_field(change, hexes, "owner", None),
            "single": lambda: self._arrow_field(change, hexes, "single", None if off else True),
            "same-edge": lambda: self._arrow_field(change, hexes, "same_edge_only", None if off else True),
        }
        acts[word.removeprefix("-")]()

    def _free(self, change: str, hexes: Sequence[str], kind: str, text: str) -> None:
        if kind == "name":
            self.texts |= dict.fromkeys(hexes, text)
        elif kind == "setup":
            self._into("setup_areas", text, hexes)
        elif kind == "block" and self.lists["blocks"]:
            self._into("blocks", text, hexes)
        elif kind == "block":
            self.blocks = {text: hexes[0]} | {name: one for name, one in self.blocks.items() if name != text}
        elif kind == "owner":
            self._arrow_field(change, hexes, "owner", text)
        else:
            self._arrow(hexes, text)

    def _text(self, change: str, text: str) -> str | None:
        text = text.strip()
        if _TEXT.fullmatch(text) and len(text) <= LONGEST and text != NOTHING:
            return text
        what = f"{text[:LONGEST]!r} can't be a name" if text else "the name is missing"
        self.named.wrong(change, what, f"1 to {LONGEST} characters on one line, without = and #")
        return None

    def _into(self, part: str, area: str, hexes: Sequence[str]) -> None:
        """Put hexes into an area and out of all others; without a name out of all."""
        moved = set(hexes)
        for name, own in self.lists[part].items():
            if name != area and not moved.isdisjoint(own):
                own[:] = [one for one in own if one not in moved]
        if area:
            there = self.lists[part].setdefault(area, [])
            there += [one for one in hexes if one not in there]

    def _listed(self, part: str, hexes: Sequence[str], *, there: bool) -> None:
        own = self.plain[part]
        own[:] = [one for one in own if one not in hexes or there]
        own += [one for one in hexes if there and one not in own]

    def _no_block(self, hexes: Sequence[str], *, there: bool) -> None:
        self._listed("no_block", hexes, there=there)
        if there:
            self._into("blocks", "", hexes)

    def _unname(self, hexes: Sequence[str]) -> None:
        for name in hexes:
            self.texts.pop(name, None)

    def _unblock(self, hexes: Sequence[str]) -> None:
        self._into("blocks", "", hexes)
        gone = {self.named.map.blocks.block_at(name) for name in hexes}
        self.blocks = {name: one for name, one in self.blocks.items() if name not in gone}

    # Arrows

    def _at(self, name: str) -> dict[str, Any] | None:
        return next((one for one in self.arrows if one and self.named.map.main(one["arrow"]) == name), None)

    def _arrow(self, hexes: Sequence[str], colour: str) -> None:
        for name in hexes:
            one = self._at(name)
            if one is None:
                one = {"arrow": name}
                self.arrows.append(one)
            if colour:
                one["colour"] = colour

    def _unarrow(self, hexes: Sequence[str]) -> None:
        self.arrows = [
            None if one and self.named.map.main(one["arrow"]) in hexes else one
            for i, one in enumerate(self.arrows)
            if one or i < len(self.entries)
        ]

    def _arrow_field(self, change: str, hexes: Sequence[str], field: str, value: Any) -> None:
        for name in hexes:
            one = self._at(name)
            if one is None:
                self.named.wrong(change, f"there is no arrow in {name}", f"put one there first: {name}=arrow")
            elif value is None:
                one.pop(field, None)
            else:
                one[field] = value

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
            what = "Setup Area" if kind == "setup" else "Block with a name of its own"
            self.named.wrong(change, f"there is no {what} {old!r}", did_you_mean(old, areas, "there are"))
            return
        told = new if new == NOTHING else self._text(change, new)
        if told is None or told == old:
            return
        if told in areas:
            self.named.wrong(change, f"{told} is the name of another one", "choose another name")
            return
        value = areas.pop(old)
        if told != NOTHING:
            areas[told] = value

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
        one = self._at(at[0])
        if one is None:
            self.named.wrong(change, f"there is no arrow in {at[0]}", f"put one there first: {at[0]}=arrow")
        elif to and to != at and self._at(to[0]):
            self.named.wrong(change, f"there is an arrow in {to[0]} already", "one Entry Area for each arrow")
        elif to:
            one["arrow"] = to[0]
        else:
            self._unarrow(at)

    # What becomes of the file

    def changed_lists(self) -> dict[str, Lists]:
        """Return the areas and names that differ now."""
        found: dict[str, Lists] = {}
        areas, before = self.lists["setup_areas"], self.before["lists"]["setup_areas"]
        now: dict[str, Any] = {name: compact(own) or None for name, own in areas.items() if own != before.get(name)}
        found["setup_areas"] = now | {name: None for name in before if name not in areas}
        before = self.before["texts"]
        texts: dict[str, Any] = {
            self.keys.get(name, name): label for name, label in self.texts.items() if label != before.get(name)
        }
        found["names"] = texts | {self.keys[name]: None for name in before if name not in self.texts}
        return {part: now for part, now in found.items() if now}

    def changed_plain(self) -> dict[str, list[str]]:
        """Return the plain lists of hexes that differ now."""
        return {part: compact(own) for part, own in self.plain.items() if own != self.before["plain"][part]}

    def changes(self) -> dict[str, Entries]:
        """Return what becomes of the Entry Areas."""
        known = len(self.entries)
        changed = {i: one for i, one in enumerate(self.arrows[:known]) if one != self.entries[i]}
        added = [one for one in self.arrows[known:] if one]
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
                what = f"{hex_} is in no Block: it is road, river, Blockhouse or not playable"
                self.named.wrong(f"{hex_}=block:{name}", what, "name a hex inside the Block")
        names = update_block_names(bare, derived, self.blocks, self.named.map.blocks.hexes)
        before = self.before["blocks"]
        changed: dict[str, Any] = {name: hex_ for name, hex_ in names.items() if hex_ != before.get(name)}
        return {"block_names": changed | {name: None for name in before if name not in names}}
