"""What can be bought and allotted: per category what a line is, its price, its limits, who can have it.

Steps ask with it; the check of a finished OB and the planner check with it. No questions and no dice here.
"""
