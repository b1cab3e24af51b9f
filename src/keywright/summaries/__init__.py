"""Summaries evaluated: by their keyphrases, and by the measures that the field compares with."""
