"""What Design Your Own can buy: squads, Guns, vehicles, OBA, SW and the figures of a nation.

The rules' own tables are not here; these are the charts that the owner of the rulebook has. All
values are immutable, may be `UNKNOWN`, and carry their origin.
"""

from laager.catalogue.dyo.battery import Battery
from laager.catalogue.dyo.entry import CatalogueEntry, Origin, OriginKind
from laager.catalogue.dyo.gaps import Gap, gaps
from laager.catalogue.dyo.load import (
    DyoCatalogue,
    GivenEntry,
    SetName,
    catalogue_data,
    from_data,
    load_dyo,
    shipped_nations,
    shipped_set,
)
from laager.catalogue.dyo.model import (
    GROUPS,
    SECTIONS,
    Armament,
    DyoCatalogueFile,
    DyoGun,
    DyoMmc,
    DyoVehicle,
    ObaOption,
    OpTank,
    Transport,
)
from laager.catalogue.dyo.nation import DyoNation, ObaChart, SwColumn, mark_type, unite
from laager.catalogue.dyo.values import UNKNOWN, Dated, DatedValue, Month, Period, Series, Unknown

__all__ = [
    "GROUPS",
    "SECTIONS",
    "UNKNOWN",
    "Armament",
    "Battery",
    "CatalogueEntry",
    "Dated",
    "DatedValue",
    "DyoCatalogue",
    "DyoCatalogueFile",
    "DyoGun",
    "DyoMmc",
    "DyoNation",
    "DyoVehicle",
    "Gap",
    "GivenEntry",
    "Month",
    "ObaChart",
    "ObaOption",
    "OpTank",
    "Origin",
    "OriginKind",
    "Period",
    "Series",
    "SetName",
    "SwColumn",
    "Transport",
    "Unknown",
    "catalogue_data",
    "from_data",
    "gaps",
    "load_dyo",
    "mark_type",
    "shipped_nations",
    "shipped_set",
    "unite",
]
