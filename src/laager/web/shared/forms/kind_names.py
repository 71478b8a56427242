"""What pages call the kinds of files that people write: `pl-card` is a Platoon Leader card."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

KIND_NAMES = {
    "pl-card": gettext_noop("Platoon Leader card"),
    "hasl-card": gettext_noop("HASL card"),
    "hasl-charts": gettext_noop("HASL charts"),
    "map": gettext_noop("Map"),
    "tables": gettext_noop("Tables"),
    "catalogue": gettext_noop("Catalogue"),
    "dyo-catalogue": gettext_noop("DYO catalogue"),
    "fortifications": gettext_noop("Fortifications"),
    "readings": gettext_noop("Readings"),
    "rules-index": gettext_noop("Rules index"),
    "house": gettext_noop("House rules"),
    "pl-charts": gettext_noop("Platoon Leader charts"),
    "abtf-charts": gettext_noop("ABtF charts"),
    "er-charts": gettext_noop("ER charts"),
    "pl-record": gettext_noop("Record of a Platoon Leader campaign"),
    "hasl-record": gettext_noop("Record of a HASL campaign"),
    "abtf-record": gettext_noop("Record of an ABtF campaign"),
    "er-record": gettext_noop("Record of an ER campaign"),
    "dyo-record": gettext_noop("Record of a DYO purchase"),
    "dyo": gettext_noop("DYO terms"),
    "dyo-ob": gettext_noop("DYO order of battle"),
    "dyo-wishes": gettext_noop("DYO wishes"),
    "dyo-charts": gettext_noop("DYO charts"),
    "vasl-names": gettext_noop("Names of VASL"),
    "ruling": gettext_noop("Ruling"),
    "temperaments": gettext_noop("Temperaments"),
    "battles": gettext_noop("Model of battles"),
    "answers": gettext_noop("Answers"),
}


def kind_in_words(kind: str) -> str:
    """Return what a page calls a kind of file, in the reader's language; a kind without a name as it is."""
    return gettext(KIND_NAMES[kind]) if kind in KIND_NAMES else kind
