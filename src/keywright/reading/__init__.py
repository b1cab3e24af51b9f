"""Files to documents: one module per format."""
