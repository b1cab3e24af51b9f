"""Reports for authors of summarisers: kept, lost and invented keyphrases, and the ranking of systems."""
