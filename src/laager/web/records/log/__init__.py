"""The log as a war diary, earlier moments, the feed."""
