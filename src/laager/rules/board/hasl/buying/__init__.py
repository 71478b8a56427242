"""Purchases from the RG chart, what groups bring, and fortifications."""
