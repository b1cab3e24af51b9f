"""Numbers and labels to a scorer."""
