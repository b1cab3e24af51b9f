"""What the kits share: stating a broken promise, checking a signature, telling whether two texts are one phrase."""

import pickle
import re
from typing import Any, NoReturn, TypeVar

from keywright.core.documents import Document
from keywright.core.errors import BrokenPromise
from keywright.core.interfaces import Analyser
from keywright.core.signatures import signature

T = TypeVar("T")

_BETWEEN = re.compile(r"[\W_]+")
_BROKEN_WORD = re.compile(r"[-\u00ad\u2010]\s+")
_PASSING = re.compile(r"\bat 0x[0-9a-f]+|<[a-z]")


def require(kept: object, who: Any, promise: str, found: object) -> None:
    """Raise unless a promise is kept.

    Args:
        kept: whether it is.
        who: the part under check.
        promise: what it should do, in words.
        found: what it did instead.

    Raises:
        BrokenPromise: it is not kept.
    """
    if not kept:
        broken(who, promise, found)


def broken(who: Any, promise: str, found: object) -> NoReturn:
    """Say which promise is not kept, by whom, and what was found instead.

    Raises:
        BrokenPromise: always.
    """
    name = getattr(who, "name", None) or getattr(who, "__name__", type(who).__name__)
    raise BrokenPromise(f"{name} breaks the promise that {promise}: {found!r}")


def check_signature(who: Any, fresh: Any) -> None:
    """Its signature says what it is: the same for an equal value, and nothing of this one process in it."""
    here = signature(who)
    require(here == signature(fresh), who, "equal values have equal signatures", (here, signature(fresh)))
    require(not _PASSING.search(here), who, "a signature holds no memory address and no bare repr", here)


def travelled(who: Any, value: T) -> T:
    """A copy of a value that went through pickle, as on the way to a worker.

    Raises:
        BrokenPromise: it does not pickle.
    """
    try:
        copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301  (what was pickled in the same line)
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        broken(who, "it pickles", error)
    return copy


def phrase_forms(text: str, analyser: Analyser, language: str | None) -> frozenset[str]:
    r"""Stems of a phrase run together, a word broken at the end of a line read as two and as one.

    Two texts are one phrase when they share a form: *Wind-screen*, *wind screens* and *wind-\nscreen* are.
    """
    whole = _BROKEN_WORD.sub("", text)
    return frozenset(_stems(each, analyser, language) for each in {text, whole})


def _stems(text: str, analyser: Analyser, language: str | None) -> str:
    """Stems of all tokens, run together, letters and digits only."""
    analysed = analyser.analyse(Document("phrase", text, language=language))
    return _BETWEEN.sub("", "".join(analysed.stems[stem] for stem in analysed.stem))
