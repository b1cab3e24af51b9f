"""The tokens and lemmas of spaCy 2 for English, which evalHulth2003 was built on."""
