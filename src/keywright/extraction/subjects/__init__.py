"""Concepts of a vocabulary as subjects, ranked by trees that learn from a person's indexed documents."""
