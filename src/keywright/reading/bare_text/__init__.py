"""Text without markup: sections recognised line by line; ``sections.find_sections`` is the entry."""
