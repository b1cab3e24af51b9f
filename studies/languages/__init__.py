"""Language identifiers side by side: errors by length of text, on English that looks like none, time and size."""
