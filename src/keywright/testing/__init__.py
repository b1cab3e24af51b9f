"""The public contract kit: what every system and protocol promises, as functions that check it.

A package that adds a system tests it in one line, ``check_extractor(MySystem(), analyser)``; what is broken comes back
as ``BrokenPromise``, which is an ``AssertionError`` too. Tests that want one row for each promise find them in the
modules, as ``EXTRACTOR_PROMISES`` and ``PROTOCOL_PROMISES``.
"""

from keywright.testing.extractors import check_extractor, check_trainable
from keywright.testing.protocols import check_protocol

__all__ = ["check_extractor", "check_protocol", "check_trainable"]
