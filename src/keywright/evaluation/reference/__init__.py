"""Reference scorers with their own files and printed text: drop-in replacements, equal on every stored case."""
