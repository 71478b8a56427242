"""Who sits where in a campaign, and what each may do."""
