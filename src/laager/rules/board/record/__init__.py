"""The record of a campaign: its state as parts and fields, as a file, and a campaign that begins from one."""
