"""The check of an order of battle that was not bought in Laager: its points, every rule it breaks.

It checks with `lines`, as the steps do. What only a file can have wrong (dice, letters, prices written down) is here.
"""
