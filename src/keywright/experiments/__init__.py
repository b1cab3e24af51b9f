"""Published tables, reproduced: run, score, and put ours beside the published numbers."""
