"""The figures of the stated model: one YAML file, each figure with its reason, checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from laager.base import DataError, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, problems_of, read_document

SHIPPED = Path(__file__).with_name("battle.yaml")

FATES = (
    *("eliminated", "captured", "reduced", "replaced", "broken", "wounded"),
    *("immobilized", "stun", "shock", "ma-malfunctioned", "recall", "bogged", "abandoned"),
)
"""What can become of a unit that is hit."""

Text = Annotated[str, Field(min_length=1)]


class BattlesPart(BaseModel):
    """Base of the parts of the file: immutable, no unknown names."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Figure(BattlesPart):
    """A figure and why it is what it is."""

    value: float = Field(ge=0, le=1000)
    why: Text


class BattlesFile(BattlesPart):
    """A file with the figures of the stated model of battles."""

    laager: Literal["battles/1"]
    title: Text
    source: Literal["house", "published"] = "house"
    figures: dict[str, Figure] = Field(description="every figure of the model, with its reason")
    hits: dict[str, dict[str, float]] = Field(description="what becomes of a unit that is hit, by kind, in parts")
    hits_why: Text
    settings: dict[str, dict[str, float]] = Field(description="figures that differ in a setting, by setting")
    settings_why: Text
    fitted: dict[str, float] = Field(description="figures that calibration fits, with the SD of their logarithm")
    fitted_why: Text

    @model_validator(mode="after")
    def _check_names(self) -> BattlesFile:
        for where, names in (*self.settings.items(), ("fitted", self.fitted)):
            for name in names:
                if name not in self.figures:
                    raise ValueError(f"{where} names {name!r}: {did_you_mean(name, self.figures, 'figures are')}")
        for kind, fates in self.hits.items():
            unknown = [fate for fate in fates if fate not in FATES]
            if unknown:
                raise ValueError(f"a {kind} can't be {unknown[0]!r}: {did_you_mean(unknown[0], FATES)}")
            if min(fates.values(), default=0) < 0 or not sum(fates.values()):
                raise ValueError(f"the parts of a {kind} must not be negative, and not all 0")
        return self

    def figures_of(self, setting: str) -> Mapping[str, float]:
        """Return all figures under one setting. Raises RefusedError if there is no such setting."""
        if setting not in self.settings:
            advice = did_you_mean(setting, self.settings, "settings are")
            raise RefusedError(Refusal.NO_SUCH, f"the model of battles has no setting {setting!r}", advice)
        return {name: figure.value for name, figure in self.figures.items()} | self.settings[setting]


def read_battles(file: Path) -> BattlesFile:
    """Read a file of figures. Raises DataError with everything that is wrong with it."""
    return _check_figures(
        read_document(file), required=None if file == SHIPPED else frozenset(shipped_battles().figures)
    )


def _check_figures(document: Document, required: frozenset[str] | None) -> BattlesFile:
    try:
        model = BattlesFile.model_validate(document.data)
    except ValidationError as err:
        raise DataError(problems_of(err, document, BattlesFile)) from None
    missing = sorted((required or frozenset()) - set(model.figures))
    if missing:
        raise DataError([document.problem(("figures",), f"{', '.join(missing)} missing", "copy the shipped file")])
    return model


@cache
def shipped_battles() -> BattlesFile:
    """Return the figures that ship with Laager."""
    return read_battles(SHIPPED)
