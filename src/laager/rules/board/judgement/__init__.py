"""What a good player would do: the judgement behind proposals, and behind the commanders that share it.

It looks at what its side knows and nothing else: its own units and numbers, the ground, what stands on the card, and
the enemy's units that are known.
"""
