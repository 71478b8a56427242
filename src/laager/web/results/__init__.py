"""Results of finished campaigns, the ladder, how cards are balanced."""
