"""Historical campaigns (HASL): what their modules share, and campaigns that data alone describe."""
