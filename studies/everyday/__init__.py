"""Everyday texts of ten kinds: news, recipes, products, reviews, e-mails, minutes, travel, forums, notices, essays.

Thirty texts with the keyphrases that one person would accept, written for this project before any model was shown them
(Apache-2.0). ``open.jsonl`` is for development; ``held_out.jsonl`` is to be scored when a model is final, and its texts
are not to be read for ideas.
"""
