"""The project's own studies, on collections that are not shipped; ``python -m studies --list`` names them.

They are not part of the package. Stored results lie in ``benchmarks/results``, pages in ``docs/reference``.
"""
