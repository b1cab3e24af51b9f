"""Data sets: a card of facts for each collection, a reader, and the ways to find, fetch, verify and count it."""
