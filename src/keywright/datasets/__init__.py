"""Data sets: a card of facts for each collection, a reader, and the ways to find, fetch, verify and count it.

``card`` holds the facts, ``readers`` turn files into labelled documents, ``places`` says where a copy lies, ``fetch``
brings one, ``collection`` loads one, ``verification`` compares one with its card, ``statistics`` counts.
"""
