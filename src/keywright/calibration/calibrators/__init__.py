"""Maps from what a list shows of its phrases to the probability that each is a keyphrase."""
