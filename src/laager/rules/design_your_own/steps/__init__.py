"""The steps of a purchase, one module for each subject."""
