"""People and seats: permissions, invitations, taking and leaving seats, mails, tokens, rate limits."""
