"""Talk: what people at a campaign's table say to everybody, to their own side, to the umpire."""
