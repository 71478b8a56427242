"""The steps of Platoon Leader, in the order of its rulebook."""
