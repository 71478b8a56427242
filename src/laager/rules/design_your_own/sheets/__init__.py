"""What players read: the Purchase Roster, what is on offer, and what a roll can bring."""
