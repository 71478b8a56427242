"""What exists: nations, unit types and how they change, weapons, guns, vehicles.

All values are immutable. A nation is read from data files (`load_packaged`,
`load_catalogue`); values that are Laager's own and not known to be published are labelled
`house` and say so wherever they are shown.
"""

from laager.catalogue.kinds import DISRUPTED, FANATIC, Alliance, Column, Grade, Kind, Trait, movement, portage
from laager.catalogue.load import (
    Catalogue,
    load_catalogue,
    load_fortifications,
    load_packaged,
    load_with_files,
    packaged_nations,
)
from laager.catalogue.model import CatalogueFile, Fortification, FortificationsFile
from laager.catalogue.nation import LeaderLadder, Nation
from laager.catalogue.units import GunType, MmcType, SmcType, SwType, UnitType, VehicleType

__all__ = [
    "DISRUPTED",
    "FANATIC",
    "Alliance",
    "Catalogue",
    "CatalogueFile",
    "Column",
    "Fortification",
    "FortificationsFile",
    "Grade",
    "GunType",
    "Kind",
    "LeaderLadder",
    "MmcType",
    "Nation",
    "SmcType",
    "SwType",
    "Trait",
    "UnitType",
    "VehicleType",
    "load_catalogue",
    "load_fortifications",
    "load_packaged",
    "load_with_files",
    "movement",
    "packaged_nations",
    "portage",
]
