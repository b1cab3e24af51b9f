"""Shared parts of the kits: report a broken promise, check a signature, compare two texts as phrases."""

import dataclasses
import pickle
import re
from typing import Any, NoReturn, TypeVar

import numpy as np

from keywright.core.documents import Document
from keywright.core.errors import BrokenPromise
from keywright.core.interfaces import Analyser
from keywright.core.signatures import signature

T = TypeVar("T")

_BETWEEN = re.compile(r"[\W_]+")
_BROKEN_WORD = re.compile(r"[-\u00ad\u2010]\s+")
_PASSING = re.compile(r"\bat 0x[0-9a-f]+|<[a-z]")


def require(holds: object, who: Any, promise: str, observed: object) -> None:
    """Raise ``BrokenPromise`` unless a promise holds.

    Args:
        holds: whether it does.
        who: the part under check.
        promise: the promise, in words.
        observed: the behaviour observed instead.
    """
    if not holds:
        broken(who, promise, observed)


def broken(who: Any, promise: str, observed: object) -> NoReturn:
    """Raise ``BrokenPromise`` with the promise, its owner and the behaviour observed instead."""
    name = getattr(who, "name", None) or getattr(who, "__name__", type(who).__name__)
    raise BrokenPromise(f"{name} breaks the promise that {promise}: {observed!r}")


def check_signature(who: Any, fresh: Any) -> None:
    """Check that equal values have equal signatures, and that nothing in them depends on the process."""
    here = signature(who)
    require(here == signature(fresh), who, "equal values have equal signatures", (here, signature(fresh)))
    require(not _PASSING.search(here), who, "a signature holds no memory address and no bare repr", here)


def travelled(who: Any, value: T) -> T:
    """Return a copy of a value through pickle, as for a worker; raise ``BrokenPromise`` if it does not pickle."""
    try:
        copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled in the same line
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        broken(who, "it pickles", error)
    return copy


def phrase_forms(text: str, analyser: Analyser, language: str | None) -> frozenset[str]:
    r"""Join the stems of a phrase, with a word broken at the end of a line as two and as one.

    Two texts are the same phrase if they share a form: *Wind-screen*, *wind screens* and *wind-\nscreen* are.
    """
    whole = _BROKEN_WORD.sub("", text)
    return frozenset(_stems(form, analyser, language) for form in {text, whole})


def _stems(text: str, analyser: Analyser, language: str | None) -> str:
    """Join the stems of all tokens, letters and digits only."""
    analysed = analyser.analyse(Document("phrase", text, language=language))
    return _BETWEEN.sub("", "".join(analysed.stems[stem] for stem in analysed.stem))


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal, arrays element by element, with nan equal to nan.

    Frozen dataclasses with array fields are ``eq=False``, because ``==`` of arrays is not a truth value.
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        floating = np.issubdtype(a.dtype, np.floating)
        return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=bool(floating)))
    if dataclasses.is_dataclass(a):
        return all(equal(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(item, b[key]) for key, item in a.items())
    return bool(a == b)
