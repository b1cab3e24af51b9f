"""A run scored under a protocol: counts per document, values, explanations."""
