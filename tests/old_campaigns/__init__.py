"""Campaigns that an earlier Laager has made, and what it showed of them."""
