"""Tests that hold for every rule system."""
