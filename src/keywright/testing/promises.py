"""Shared parts of the kits: report a broken promise, compare texts and values, and documents that break promises."""

import dataclasses
import pickle
import re
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
        floating = np.issubdtype(a.dtype, np.floating)
        return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=bool(floating)))
    if dataclasses.is_dataclass(a):
        return all(equal(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(item, b[key]) for key, item in a.items())
    return bool(a == b)


_TITLE = "Noise maps from bicycle microphones"
_ABSTRACT = (
    "City noise maps are computed from traffic counts, and measured almost nowhere. We fitted forty bicycles with "
    "calibrated microphones and collected street noise along daily rides. A noise map drawn from the bicycle "
    "microphones agrees with fixed measurement stations to within two decibels, and it shows quiet side streets that "
    "traffic counts cannot show."
)
_BODY = (
    "Fixed measurement stations are accurate but few. Traffic counts are many but say little about side streets. "
    "Bicycle microphones stand between the two: each ride passes a street once, in a few seconds, with wind and "
    "rattling chains in the recording.\n\n"
    "Wind noise is the main difficulty. Each microphone sits behind a foam wind-screen, and recordings above twenty "
    "kilometres per hour are left out. Street noise is then averaged over rides, and every street segment keeps the "
    "number of rides beside its mean level, so that a noise map can leave a segment blank where rides are few.\n\n"
    "The noise map was compared with twelve measurement stations. Side streets were quieter than the traffic counts "
    "suggested. Wind screens mattered more than the price of the microphones."
)
_ABSTRACT_START: Final = len(_TITLE) + 2
ARTICLE: Final = Document(
    "article",
    f"{_TITLE}\n\n{_ABSTRACT}\n\n{_BODY}",
    (
        Section(SectionKind.TITLE, 0, len(_TITLE)),
        Section(SectionKind.ABSTRACT, _ABSTRACT_START, _ABSTRACT_START + len(_ABSTRACT)),
    ),
    language="en",
)
EMPTY: Final = Document("empty", "", language="en")
NOTE: Final = Document(
    "note",
    "Rain gardens hold storm water back. A rain garden needs sandy soil, and storm water leaves it within two days.",
    language="en",
)
UNUSUAL: Final = (
    Document("blank", " \n\t \n\n ", language="en"),
    Document("one word", "photosynthesis", language="en"),
    Document("punctuation", "... ?! -- ;; (()) “”’ % § * / \n — … :", language="en"),
    Document("stop words", "and the of a to in it is was for on that", language="en"),
    Document("no sentence", "granite basalt\nobsidian granite\nbasalt\n\ngranite", language="en"),
    Document("one word over and over", "tide " * 400, language="en"),
    Document("symbols", "https://example.org/a?b=c a@example.org x_i^2 = 3.14 🌊🌊 I/O C++ l’eau 10-12", language="en"),
    Document("no language", "Glaciers carve valleys. Valleys hold lakes where glaciers melted."),
    Document(
        "french",
        "Les marais salants bordent la côte. L'eau de mer entre dans les marais salants par un étier, puis "
        "s'évapore ; le sel marin se dépose au fond des bassins. La récolte du sel marin dépend du vent.",
        language="fr",
    ),
    Document(
        "arabic",
        "تزرع أشجار النخيل في الواحات. تحتاج أشجار النخيل إلى ماء الآبار، وتعطي التمر في أواخر الصيف. "
        "يجفف المزارعون التمر تحت أشعة الشمس.",
        language="ar",
    ),
    Document("chinese", "茶树生长在潮湿的山坡上。春天采摘的茶叶味道清香。茶叶炒制以后可以保存。", language="zh"),
)  # fmt: skip

LABELLED: Final = (
    LabelledDocument(
        ARTICLE,
        (
            GoldKeyphrase(("noise map",), "author"),
            GoldKeyphrase(("bicycle microphones",), "author"),
            GoldKeyphrase(("street noise", "road noise"), "reader"),
            GoldKeyphrase(("measurement stations",), "reader"),
        ),
    ),
    LabelledDocument(NOTE, (GoldKeyphrase(("rain gardens",), "author"), GoldKeyphrase(("storm water",), "reader"))),
)
"""Training data of checks: enough to have both classes, far too little for good results."""

OTHER_GOLD: Final = tuple(
    GoldKeyphrase((form,), "reader")
    for form in ("side streets", "traffic counts", "wind noise", "fixed measurement stations")
)
"""Other gold of the article, to check the effect of labels."""
