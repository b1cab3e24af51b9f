"""Layers that several generators share."""
