"""A page that everybody may see of a campaign, without an account, if its players let them."""
