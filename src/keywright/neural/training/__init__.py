"""Training: recipes, the loop, checkpoints and the log."""
