"""Stems of ROUGE-1.5.5, Porter's algorithm with a changed step 4, and the word files that it reads.

The algorithm is Porter's (*An algorithm for suffix stripping*, Program 14, 1980) with the changes of its author's own
programs: ``bli`` becomes ``ble`` and ``logi`` becomes ``log`` in step 2, and words of one or two letters stay.
ROUGE-1.5.5 also changed step 4, where several endings of a word may be removed one after the other: first one of the
list, then ``ment``, then ``ent``, or else ``ion`` after s or t.
"""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

from keywright.core.errors import BadRecord, EmptyInput
from keywright.evaluation.normal_forms.nltk325_porter import letter_shape, porter_measure
from keywright.reading.encodings import decode
from keywright.reading.file_names import read_bytes
from keywright.reading.sources import DEFAULT_LIMITS

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
def stem_rouge155(word: str) -> str:
    """Return the stem of a word of lower-case ASCII letters and digits, without the list of exceptions.

    >>> stem_rouge155("relational"), stem_rouge155("governments"), stem_rouge155("professional")
    ('relat', 'govern', 'profess')
    """
    if len(word) <= _SHORT:
        return word
    stem = _remove_past(_remove_plural(word))
    if stem.endswith("y") and "v" in letter_shape(stem[:-1]):
        stem = stem[:-1] + "i"
    stem = _replace_ending(_replace_ending(stem, _STEP_2, 0), _STEP_3, 0)
    return _apply_step_5(_apply_step_4(stem))


def _remove_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _remove_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if porter_measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and "v" in letter_shape(stem):
            return _repair_stem(stem)
    return word


def _repair_stem(stem: str) -> str:
    """Apply the end of step 1b: repair a stem after ``ed`` or ``ing`` was removed."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem[-1:] == stem[-2:-1] and stem[-1] not in "aeiouylsz":
        return stem[:-1]
    return stem + "e" if porter_measure(stem) == 1 and _ends_short(stem) else stem


def _apply_step_4(word: str) -> str:
    """Remove endings after two vowel-consonant sequences."""
    word = _replace_ending(word, _STEP_4, 1)
    word = _replace_ending(word, {"ment": ""}, 1)
    if word.endswith("ent"):
        return _replace_ending(word, {"ent": ""}, 1)
    return _replace_ending(word, {"sion": "s", "tion": "t"}, 1, inside=1)


def _apply_step_5(word: str) -> str:
    """Apply steps 5a and 5b: remove a final e, and one of two final l."""
    if word.endswith("e"):
        count = porter_measure(word[:-1])
        if count > 1 or (count == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and porter_measure(word) > 1 else word


def _replace_ending(word: str, endings: dict[str, str], above: int, inside: int = 0) -> str:
    """Replace the longest ending that a word has, if the measure of the stem before it is above a number.

    ``inside`` letters of the ending are measured with the stem.
    """
    ending = max(filter(word.endswith, endings), key=len, default="")
    stem = word.removesuffix(ending)
    return stem + endings[ending] if ending and porter_measure(stem + ending[:inside]) > above else word


def _ends_short(word: str) -> bool:
    """Check whether a word ends in consonant, vowel, consonant other than w, x, y."""
    return letter_shape(word).endswith("cvc") and word[-1] not in "wxy"


NO_FILE: Final = "no"
_NAMES: Final = 2
"""Words that a line of exceptions has at least: the word and its stem."""


class WordFile(str):
    """The name of a file, which signatures show with the hash of the file's content.

    Attributes:
        content: the text of the file; empty for ``no``, which names none.
    """

    __slots__ = ("content",)

    content: str

    def __new__(cls, name: str) -> Self:
        """Read the file.

        Raises:
            MissingData: there is no such file.
            UnreadableInput: it cannot be opened, or is not text.
        """
        self = super().__new__(cls, name)
        self.content = "" if name == NO_FILE else _read_text(Path(name))
        return self

    def __getnewargs__(self) -> tuple[str]:
        """Read the file again where a pickle is loaded."""
        return (str(self),)

    @property
    def fingerprint(self) -> str:
        """File name and the first 8 hexadecimal digits of the SHA-256 of its text; ``no`` without a file."""
        if self == NO_FILE:
            return NO_FILE
        return f"{Path(self).name}@{hashlib.sha256(self.content.encode()).hexdigest()[:8]}"

    def words(self) -> frozenset[str]:
        """Return the words of a list, one a line, in lower case; empty lines are skipped."""
        return frozenset(line.strip().lower() for line in self.content.splitlines() if line.strip())

    def stems(self) -> dict[str, str]:
        """Return the stem of each word of a list with lines ``word stem``; of repeated words the last line counts.

        Lines of WordNet's exception files may have several stems, of which the first counts.

        Raises:
            BadRecord: a line has a single word.
        """
        stems = {}
        for number, line in enumerate(self.content.splitlines(), start=1):
            names = line.lower().split()
            if names and len(names) < _NAMES:
                raise BadRecord(f"line {number} of {self} is {line!r:.60}", 'expected "word stem"')
            if names:
                stems[names[0]] = names[1]
        return stems


def _read_text(path: Path) -> str:
    try:
        return decode(read_bytes(path, path.name, DEFAULT_LIMITS), path.name).text
    except EmptyInput:  # a list without words is a list
        return ""
