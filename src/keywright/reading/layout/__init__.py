"""The layout of PDF pages, from characters to paragraphs; ``pipeline`` has the steps in order.

Numbers in this room are arbitrary where they do not say otherwise: set by hand and checked on the sample
papers that ``tests/unit/reading/test_pdf.py`` reads.
"""
