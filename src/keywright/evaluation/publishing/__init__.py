"""Reports and comparisons as CSV, Markdown, LaTeX, and one HTML file with plots."""
