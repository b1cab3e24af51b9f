"""Faces: how people and programs reach ``keywright.api``. Each parses, calls, prints."""
