"""Commands about rules, cards, tables, and files that users write; they need no campaign."""
