"""What a collection knows: in how many documents phrases occur, and lexicons of phrases."""
