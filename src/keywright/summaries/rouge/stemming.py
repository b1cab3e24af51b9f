"""Stems of ROUGE-1.5.5: Porter's algorithm with a changed step 4.

The algorithm is Porter's (*An algorithm for suffix stripping*, Program 14, 1980) with the changes of its author's own
programs: ``bli`` becomes ``ble`` and ``logi`` becomes ``log`` in step 2, and words of one or two letters stay.
ROUGE-1.5.5 also changed step 4, where several endings of a word may be removed one after the other: first one of the
list, then ``ment``, then ``ent``, or else ``ion`` after s or t.
"""

from functools import lru_cache
from typing import Final

from keywright.evaluation.normal_forms.nltk325_porter import letter_shape, measure

SHORTEST: Final = 4
"""Letters of the shortest word that both ROUGE programs stem."""
_SHORT: Final = 2
"""Letters up to which Porter's programs leave a word as it is."""
_STEP_2: Final = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3: Final = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4: Final = dict.fromkeys("al ance ence er ic able ible ant ement ou ism ate iti ous ive ize".split(), "")


@lru_cache(maxsize=1 << 16)
def rouge155_stem(word: str) -> str:
    """Return the stem of a word of lower-case ASCII letters and digits, without the list of exceptions.

    >>> rouge155_stem("relational"), rouge155_stem("governments"), rouge155_stem("professional")
    ('relat', 'govern', 'profess')
    """
    if len(word) <= _SHORT:
        return word
    stem = _without_past(_without_plural(word))
    if stem.endswith("y") and "v" in letter_shape(stem[:-1]):
        stem = stem[:-1] + "i"
    stem = _replaced(_replaced(stem, _STEP_2, 0), _STEP_3, 0)
    return _tidied(_step_4(stem))


def _without_plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    """Apply step 1b."""
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and "v" in letter_shape(stem):
            return _completed(stem)
    return word


def _completed(stem: str) -> str:
    """Apply the end of step 1b: repair a stem after ``ed`` or ``ing`` was removed."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem[-1:] == stem[-2:-1] and stem[-1] not in "aeiouylsz":
        return stem[:-1]
    return stem + "e" if measure(stem) == 1 and _ends_short(stem) else stem


def _step_4(word: str) -> str:
    """Remove endings after two vowel-consonant sequences."""
    word = _replaced(word, _STEP_4, 1)
    word = _replaced(word, {"ment": ""}, 1)
    if word.endswith("ent"):
        return _replaced(word, {"ent": ""}, 1)
    return _replaced(word, {"sion": "s", "tion": "t"}, 1, inside=1)


def _tidied(word: str) -> str:
    """Apply steps 5a and 5b: remove a final e, and one of two final l."""
    if word.endswith("e"):
        count = measure(word[:-1])
        if count > 1 or (count == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word


def _replaced(word: str, endings: dict[str, str], above: int, inside: int = 0) -> str:
    """Replace the longest ending that a word has, if the measure of the stem before it is high enough.

    Args:
        word: the word.
        endings: replacement of each ending.
        above: number that the measure exceeds.
        inside: letters of the ending that are measured with the stem.
    """
    ending = max(filter(word.endswith, endings), key=len, default="")
    stem = word.removesuffix(ending)
    return stem + endings[ending] if ending and measure(stem + ending[:inside]) > above else word


def _ends_short(word: str) -> bool:
    """Check whether a word ends in consonant, vowel, consonant other than w, x, y."""
    return letter_shape(word).endswith("cvc") and word[-1] not in "wxy"
