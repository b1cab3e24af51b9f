"""The layout of PDF pages, from characters to paragraphs; ``pipeline`` has the steps in order."""
