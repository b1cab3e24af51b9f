"""Whether probabilities are right: of a hundred phrases that are given 30 percent, thirty should be keyphrases."""
