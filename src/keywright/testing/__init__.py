"""The public contract kit: what every system, protocol and reader promises, as functions that check it.

A package that adds a system tests it in one line, ``check_extractor(MySystem(), analyser)``; what is broken comes back
as ``BrokenPromise``, which is an ``AssertionError`` too. Tests that want one row for each promise find them in the
modules, as ``EXTRACTOR_PROMISES``, ``PROTOCOL_PROMISES`` and ``READER_PROMISES``.
"""

from keywright.testing.extractors import check_extractor, check_trainable
from keywright.testing.protocols import check_protocol
from keywright.testing.readers import check_reader

__all__ = ["check_extractor", "check_protocol", "check_reader", "check_trainable"]
