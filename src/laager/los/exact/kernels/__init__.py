"""The walk along a line, pixel by pixel, and VASL's rules on the way, written for Numba.

`m` is always a `Arrays`, `s` the state of the line being looked at (`fields`). A rule returns True if the walk is
over: blocked, or failed as VASL fails. Section numbers are those of VASL's steps as the tests know them.
"""
