"""Roster, purchase record and reports."""
