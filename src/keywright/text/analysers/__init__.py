"""Analysers that need an extra."""
