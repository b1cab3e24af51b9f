"""Training data of the default: statistics, overlaps with test sets, lists of author keyphrases."""
