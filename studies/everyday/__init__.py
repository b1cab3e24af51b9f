"""Everyday texts, written and judged for this project.

The texts of ``judged.jsonl`` are of some hundred kinds, five in each of twenty languages besides the English ones.
Whoever wrote them named, before any list was looked at, what the text is about (``topic``), the phrases that a reader
would write below it (``good``), and what would be no mistake (``acceptable``). The default's corrections for prose
learn from them. ``open.jsonl`` has the keyphrases that one person would accept, and is for development.
``held_out.jsonl`` and ``judged_held_out.jsonl`` are to be scored when a model is final, and their texts are not to be
read for ideas. ``prose.jsonl`` has letters, reports and the like without judgements, which like ``open.jsonl`` the gate
of tags learns from. All are Apache-2.0.
"""
