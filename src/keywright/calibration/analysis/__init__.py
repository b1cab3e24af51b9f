"""A generator's confidence analysed: perplexity, positions, degenerate output; as tables, plots and a page."""
