"""Who takes part in a campaign: members, invitations, the owner; the admin pages."""
