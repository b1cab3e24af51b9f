"""The quality report: the default extractor and other tools on eight collections."""
