"""Collections: the phrases of many documents made one, counted, compared over time, and linked."""
