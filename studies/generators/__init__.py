"""Helps of small generators: learning curves at equal documents."""
