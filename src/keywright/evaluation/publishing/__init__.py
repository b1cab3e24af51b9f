"""Reports and comparisons on paper: CSV, Markdown, LaTeX, and one HTML file with plots."""
