"""Evaluators of summaries compared: with each other on Arabic summaries, with people's judgements on English ones."""
