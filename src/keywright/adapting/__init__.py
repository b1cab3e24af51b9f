"""Fitting an extractor to one's own documents: what that gains where it can be shown, and what it changes."""
