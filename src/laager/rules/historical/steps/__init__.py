"""The steps of the layer, as procedures that rule systems turn into steps of their own."""
