"""Zstandard as Python has it from 3.14 on, before that by its backport: other bindings are twenty times as large."""

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["zstd"]
