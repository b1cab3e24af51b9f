"""Text without markup: sections recognised line by line; ``sections.find_sections`` is the entry.

Numbers in this room are arbitrary where they do not say otherwise: set by hand and checked with
``tools/checks/section_report.py`` on the training papers of SemEval-2010.
"""
