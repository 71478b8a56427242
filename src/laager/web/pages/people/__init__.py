"""Pages of people: accounts, the home page, a new campaign, seats and invitations."""
