"""What a seat can look at: the log, the map, units, earlier moments, forecasts, rules, its own notes.

All of it is made from the seat's view; nothing here changes a campaign.
"""
