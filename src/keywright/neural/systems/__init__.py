"""Generators as systems: one file per published generator."""
