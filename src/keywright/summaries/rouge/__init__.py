"""ROUGE: overlap of words, word sequences and skip bigrams between a summary and summaries by people."""
