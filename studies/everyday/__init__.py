"""Everyday texts: thirty of ten kinds, thirty of 27 others, and prose without keyphrases.

News, recipes, products, reviews, e-mails, minutes, travel, forums, notices and essays have the keyphrases that one
person would accept, written for this project before any model was shown them (Apache-2.0). ``open.jsonl`` is for
development; ``held_out.jsonl`` is to be scored when a model is final, and its texts are not to be read for ideas. The
same holds for ``judged_open.jsonl`` and ``judged_held_out.jsonl``, whose texts also name their topic: what a reader
would say that the text is about, in any of the first three places of a list. ``prose.jsonl`` has letters, reports and
the like, which only the gate of the default's two tastes learns from.
"""
