"""Shared parts of the kits: report a broken promise, compare texts and values, and documents that break promises."""

import dataclasses
import json
import pickle
import re
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import numpy as np

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BrokenPromise
from keywright.core.interfaces import Analyser
from keywright.core.signatures import signature

T = TypeVar("T")
_BETWEEN = re.compile(r"[\W_]+")
_BROKEN_WORD = re.compile(r"[-\u00ad\u2010]\s+")
_PASSING = re.compile(r"\bat 0x[0-9a-f]+|<[a-z]")


def require(holds: object, who: Any, promise: str, observed: object) -> None:
    """Raise ``BrokenPromise`` unless a promise of a part holds, with the behaviour observed instead."""
    if not holds:
        fail_promise(who, promise, observed)


def fail_promise(who: Any, promise: str, observed: object) -> NoReturn:
    """Raise ``BrokenPromise``."""
    name = getattr(who, "name", None) or getattr(who, "__name__", type(who).__name__)
    raise BrokenPromise(f"{name} violates the contract that {promise}: {observed!r}")


def check_signature(who: Any, fresh: Any) -> None:
    """Check that equal values have equal signatures, and that nothing in them depends on the process."""
    here = signature(who)
    require(here == signature(fresh), who, "equal values have equal signatures", (here, signature(fresh)))
    require(not _PASSING.search(here), who, "a signature holds no memory address and no bare repr", here)


def copy_pickled(who: Any, value: T) -> T:
    """Return a copy of a value through pickle, as for a worker; raise ``BrokenPromise`` if it does not pickle."""
    try:
        copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled in the same line
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        fail_promise(who, "it pickles", error)
    return copy


def phrase_forms(text: str, analyser: Analyser, language: str | None) -> frozenset[str]:
    r"""Join the stems of a phrase, with a word broken at a line's end as two and as one; equal phrases share a form."""
    spellings = {text, _BROKEN_WORD.sub("", text)}
    phrases = [analyser.analyse(Document("phrase", spelling, language=language)) for spelling in spellings]
    return frozenset(_BETWEEN.sub("", "".join(each.stems[stem] for stem in each.stem)) for each in phrases)


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal, arrays element by element, with nan equal to nan."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=bool(np.issubdtype(a.dtype, np.floating))))
    if dataclasses.is_dataclass(a):
        return all(equal(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(item, b[key]) for key, item in a.items())
    return bool(a == b)


_TEXTS = Path(__file__).with_name("texts.jsonl").read_text("utf-8").split("\n")[:-1]
_PAPER, EMPTY, NOTE, *UNUSUAL = (Document(**json.loads(line)) for line in _TEXTS)
_TITLE, _ABSTRACT, _ = _PAPER.text.split("\n\n", 2)
_START: Final = len(_TITLE) + 2
_ENDS: Final = (SectionKind.TITLE, 0, len(_TITLE)), (SectionKind.ABSTRACT, _START, _START + len(_ABSTRACT))
ARTICLE: Final = dataclasses.replace(_PAPER, sections=tuple(Section(*each) for each in _ENDS))


def _gold(by: str, *phrases: str) -> tuple[GoldKeyphrase, ...]:
    return tuple(GoldKeyphrase(tuple(forms.split("|")), by) for forms in phrases)


_BY_READERS: Final = _gold("reader", "street noise|road noise", "measurement stations")
LABELLED: Final = (
    LabelledDocument(ARTICLE, _gold("author", "noise map", "bicycle microphones") + _BY_READERS),
    LabelledDocument(NOTE, _gold("author", "rain gardens") + _gold("reader", "storm water")),
)
"""Training data of checks: enough to have both classes, far too little for good results."""
OTHER_GOLD: Final = _gold("reader", "side streets", "traffic counts", "wind noise", "fixed measurement stations")
"""Other gold of the article, to check the effect of labels."""
