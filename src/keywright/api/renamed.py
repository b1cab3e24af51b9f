"""Old names of keywords, which still work, with a warning."""

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def renamed(old: str, new: str) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Return a decorator that passes the keyword ``old`` on as ``new``, with a ``DeprecationWarning``."""

    def decorate(verb: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @functools.wraps(verb)
        def call(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Result:
            if old in keywords:
                warnings.warn(f"{verb.__name__}: {old} is now called {new}", DeprecationWarning, stacklevel=2)
                keywords[new] = keywords.pop(old)
            return verb(*arguments, **keywords)

        return call

    return decorate
