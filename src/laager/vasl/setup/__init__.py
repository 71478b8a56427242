"""Setups: a battle written as a save of VASL, from the player's own module and the campaign as one side sees it.

`module` takes out of a module what is needed of it, `counters` makes pieces of its slots, `units` finds the slot of a
unit, `board` tells where a hex lies, `plan` what stands where, `writing` makes the file.
"""
