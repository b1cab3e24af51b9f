"""Predictions and gold in Python's containers and in tables of any library, and their alignment by id or position."""
