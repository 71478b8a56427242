"""Tables: rows and modifiers that turn a final roll into a result. All values are immutable."""

from laager.tables.file import TablesFile
from laager.tables.load import load_packaged, load_tables, tables_of
from laager.tables.model import Row, RowOdds, Table, TableModifier, TableSet, Value

__all__ = [
    "Row",
    "RowOdds",
    "Table",
    "TableModifier",
    "TableSet",
    "TablesFile",
    "Value",
    "load_packaged",
    "load_tables",
    "tables_of",
]
