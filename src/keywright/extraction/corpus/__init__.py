"""Statistics of a collection: document frequencies of phrases, and lexicons."""
