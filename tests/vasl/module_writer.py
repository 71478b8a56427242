"""A small module as VASL's is built, written by the tests from the description of the format: nothing of VASL's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from laager.vasl.saves.sequence import encode, fold

from .board_writer import zip_bytes
from .save_writer import layer

TAB = "\t"
DATA = (
    '<?xml version="1.0"?><data version="1"><version>9.9</version><VassalVersion>3.2.17</VassalVersion>'
    "<name>VASL</name></data>"
)


def definition(*parts: tuple[str, str]) -> str:
    """Return the text of a slot or prototype: traits from the outermost inwards, the basic piece last."""
    return encode(("+", "null", fold([one for one, _ in parts], TAB), fold([one for _, one in parts], TAB)), "/")


def piece(name: str, gpid: str = "", image: str = "") -> tuple[str, str]:
    return f"piece;K;D;{image};{name}", f"null;0;0;{gpid}"


@dataclass
class ModuleDraft:
    """A module: its prototypes by name, and its slots by palette (name, gpid, text)."""

    prototypes: dict[str, str] = field(default_factory=dict)
    slots: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    number: int = 0

    def slot(self, palette: str, name: str, *parts: tuple[str, str], image: str = "") -> str:
        """Add a slot whose counter has some traits around its basic piece; return its number."""
        self.number += 1
        text = definition(*parts, piece(name, str(self.number), image))
        self.slots.setdefault(palette, []).append((name, str(self.number), text))
        return str(self.number)

    def build(self) -> str:
        """Return the build file."""
        made = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<VASSAL.launch.BasicModule VassalVersion="3.2.17" name="VASL" version="9.9">',
            '<VASL.build.module.ASLMap mapName="Main Map" edgeWidth="400" edgeHeight="400"/>',
        ]
        for name, text in self.prototypes.items():
            made.append(
                f"<VASSAL.build.module.PrototypeDefinition name={quoteattr(name)}>{escape(text)}"
                "</VASSAL.build.module.PrototypeDefinition>"
            )
        for palette, slots in self.slots.items():
            names = palette.split(" > ")
            made += [f"<VASSAL.build.widget.PanelWidget entryName={quoteattr(name)}>" for name in names]
            for name, gpid, text in slots:
                made.append(
                    f'<VASSAL.build.widget.PieceSlot entryName={quoteattr(name)} gpid="{gpid}">{escape(text)}'
                    "</VASSAL.build.widget.PieceSlot>"
                )
            made += ["</VASSAL.build.widget.PanelWidget>"] * len(names)
        return "\n".join([*made, "</VASSAL.launch.BasicModule>"])

    def entries(self) -> dict[str, bytes]:
        return {"buildFile": self.build().encode(), "moduledata": DATA.encode()}

    def write(self, path: Path, others: Mapping[str, bytes] | None = None) -> Path:
        path.write_bytes(zip_bytes((self.entries() | dict(others or {})).items()))
        return path


def label(slot: str, form: str, text: str = "") -> tuple[str, str]:
    fields = ("label", "76,130", slot, "10", "", "", "c", "0", "c", "0", "c", "c", form, "Dialog", "0", "0", "T", "")
    return encode(fields, ";"), text


def small(palettes: Sequence[str] = ("Axis O/B > German", "Allied O/B > Russian")) -> ModuleDraft:
    """Return a module with a few counters of two nations and some that belong to none."""
    made = ModuleDraft()
    made.prototypes["inner"] = definition(("hide;H;HIP;1,2,3;player:", "null"), piece("inner"))
    made.prototypes["unit"] = definition(
        ("PROP;Owner;false", "A Developer"), ("prototype;inner", ""), ("moved;m", "true"), piece("unit")
    )
    for palette in palettes:
        code = {"German": "ge", "Russian": "ru"}.get(palette.split(" > ")[1], "xx")
        around = (("prototype;unit", ""), (f"conceal;C;{code}/q;{code};;path", "null"))
        for name in ("4-6-7 1sq", "4-4-7 1sq"):
            broken = layer("broken +", at=-1)
            made.slot(f"{palette} > SQ > Wehrmacht", name, *around, broken, image=f"{code}/one")
        made.slot(f"{palette} > ?", "?", ("prototype;unit", ""), (f"concealment;dev-password;{code}", ""))
        made.slot(f"{palette} > ?", f"{code.upper()} Control", ("prototype;unit", ""), image=f"{code}/blank")
    lines = (label("Label", "$label$"), label("Line 2", "$label$", "old"))
    made.slot("Label > User", "User-Labeled", ("immob;ig;I", ""), *lines)
    return made


WIDGET = "VASSAL.build.widget.PanelWidget"


@dataclass
class ExtensionDraft:
    """An extension: its id and version, its prototypes by name, and its slots by the palette that they are added to."""

    id: str = "bfp"
    version: str = "5.01"
    module: str = "VASL"
    prototypes: dict[str, str] = field(default_factory=dict)
    slots: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    number: int = 0

    def slot(self, palette: str, name: str, *parts: tuple[str, str], image: str = "", gpid: str = "") -> str:
        """Add a slot whose counter has some traits around its basic piece; return its number."""
        self.number += 1
        gpid = gpid or f"{self.id}:{self.number}"
        self.slots.setdefault(palette, []).append((name, gpid, definition(*parts, piece(name, gpid, image))))
        return gpid

    def build(self) -> str:
        """Return the build file: each palette is a component that is put into one of the module's."""
        made = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<VASSAL.build.module.ModuleExtension anyModule="false" extensionId={quoteattr(self.id)} '
            f'module={quoteattr(self.module)} moduleVersion="6.5" version={quoteattr(self.version)}>',
        ]
        for name, text in self.prototypes.items():
            made.append(
                '<VASSAL.build.module.ExtensionElement target="VASSAL.build.module.PrototypesContainer">'
                f"<VASSAL.build.module.PrototypeDefinition name={quoteattr(name)}>{escape(text)}"
                "</VASSAL.build.module.PrototypeDefinition></VASSAL.build.module.ExtensionElement>"
            )
        for palette, slots in self.slots.items():
            *around, last = palette.split(" > ")
            steps = ["VASSAL.build.module.PieceWindow:VASL Counters", "VASSAL.build.widget.TabWidget"]
            steps += [encode((WIDGET, name), ":") for name in around]
            made.append(f"<VASSAL.build.module.ExtensionElement target={quoteattr(encode(steps, '/'))}>")
            made.append(f"<{WIDGET} entryName={quoteattr(last)}>")
            for name, gpid, text in slots:
                made.append(
                    f'<VASSAL.build.widget.PieceSlot entryName={quoteattr(name)} gpid="{gpid}">{escape(text)}'
                    "</VASSAL.build.widget.PieceSlot>"
                )
            made.append(f"</{WIDGET}></VASSAL.build.module.ExtensionElement>")
        return "\n".join([*made, "</VASSAL.build.module.ModuleExtension>"])

    def entries(self) -> dict[str, bytes]:
        data = f'<data version="1"><version>{self.version}</version><universal>false</universal></data>'
        return {"buildFile.xml": self.build().encode(), "extensiondata": data.encode(), "moduledata": DATA.encode()}

    def write(self, path: Path) -> Path:
        path.write_bytes(zip_bytes(self.entries().items()))
        return path


def small_extension() -> ExtensionDraft:
    """Return an extension with a squad beside the module's, and one in a palette of its own."""
    made = ExtensionDraft()
    made.prototypes["bfpunit"] = definition(("moved;m", "true"), piece("bfpunit"))
    around = (("prototype;bfpunit", ""), ("prototype;unit", ""), ("conceal;C;ge/q;ge;;path", "null"))
    made.slot("Axis O/B > German > SQ > Wehrmacht", "5-4-8 Esq", *around, image="ge/ge548S.svg")
    made.slot("BFP > Elite", "8-3-8 Esq", *around, image="ge/ge838S.svg")
    made.slot("BFP > Poles", "6-2-8 Esq", *around, image="al/al628S.svg")
    return made
