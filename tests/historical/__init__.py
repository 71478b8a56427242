"""Tests of the layer that the HASL campaigns share."""
