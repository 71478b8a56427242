"""Where a campaign is played."""
