"""The public contract kit: what every system, protocol and reader promises, as functions that check it.

A package that adds a system tests it in one line, ``check_extractor(MySystem(), analyser)``; what is broken comes back
as ``BrokenPromise``, which is an ``AssertionError`` too. The three tuples of promises are there for test tables that
want one row each.
"""
