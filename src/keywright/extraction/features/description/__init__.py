"""The columns by which the default extractor describes a shortlisted candidate."""
