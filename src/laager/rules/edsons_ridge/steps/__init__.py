"""The steps that only Edson's Ridge has."""
