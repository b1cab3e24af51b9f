"""The study of the default extractor: ablations, learning curves, errors."""
