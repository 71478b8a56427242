"""Redeployment in Platoon Leader (PL 3.2, 2.5): the lines, orders, the table, and where units arrive.

Setup of new units is in `setup`; Control and the rest of the Reorganization Phase in `reorganization`.
"""
