"""Pages to look at: log, history, map, units and sheets, forecasts, rules, notes, the feed."""
