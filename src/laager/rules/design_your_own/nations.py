"""Groups of nations, as the charts of chapter H tell them apart."""

from __future__ import annotations

from enum import StrEnum

from laager.campaign.clauses import implements
from laager.catalogue.kinds import Column


class Group(StrEnum):
    """What a nation counts as in the charts; each nation of a catalogue has one."""

    GERMAN = "german"
    RUSSIAN = "russian"
    AMERICAN = "american"
    BRITISH = "british"
    """With the Commonwealth and those of conquered countries who fight with British support."""
    ITALIAN = "italian"
    JAPANESE = "japanese"
    GMD = "gmd"
    RED_CHINESE = "red-chinese"
    FRENCH = "french"
    """France up to its fall, and Vichy."""
    FREE_FRENCH = "free-french"
    FINNISH = "finnish"
    AXIS_MINOR = "axis-minor"
    ALLIED_MINOR = "allied-minor"

    @property
    def chinese(self) -> bool:
        """Whether they are Chinese of either party."""
        return self in (Group.GMD, Group.RED_CHINESE)

    @property
    def words(self) -> str:
        """What players call them."""
        return _NAMES.get(self, self.value.replace("-", " ").title())


_NAMES = {Group.GMD: "G.M.D.", Group.AMERICAN: "U.S."}


@implements("DYO H1.82-nFinn", "DYO H1.82-nJapanese")
def leader_column(group: Group) -> Column:
    """Return the column of the Leader Exchange Table."""
    return {Group.FINNISH: Column.FINN, Group.JAPANESE: Column.JAPANESE}.get(group, Column.GENERAL)
