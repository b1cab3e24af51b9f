"""AutoSummENG, MeMoG and NPowER: similarity of summaries as graphs of neighbouring n-grams."""
