"""Text without markup: headings, sections, the title and mail recognised line by line."""
