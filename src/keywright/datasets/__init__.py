"""Data sets: a card of facts for each collection, a reader, and the ways to find, fetch, verify and count it.

``card`` holds the facts, ``readers`` turn files into labelled documents, ``files`` finds a copy and reads it,
``fetch`` brings one, ``collection`` loads one and compares it with its card.
"""
