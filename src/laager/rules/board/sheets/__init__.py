"""Record sheets of a side's roster, purchases, fortifications and units; the units on the map; a state as JSON.

They show a viewer's state; what that viewer can't know is not in it. What a rule system lists on its own sheets
is in its room. Printing is in `laager.sheets`.
"""
