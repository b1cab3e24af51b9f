"""Normal forms of evalHulth2003 and of keyphrase generation: phrases as tokens with blanks, and Porter's stemmer.

Lemmas of contractions may contain a blank (``going to``), which becomes a no-break space, so that a run of tokens is a
substring between blanks. The modern forms use current tools: a phrase is normalised (Unicode NFKC) and split into
keywright's parts of words, so that ``out-of-print`` and the collection's own ``out - of - print`` are equal; lemmas are
those of simplemma, stems those of Porter's algorithm in Martin's variant, both of lower-case words.

Porter's stemmer is as two programs changed it: NLTK 3.2.5 in its default mode, and ROUGE-1.5.5. Both (*An algorithm for
suffix stripping*, Program 14, 1980): ``bli`` becomes ``ble`` and ``logi`` becomes ``log`` in step 2, and words of one
or two characters are unchanged. NLTK: a table of irregular words, looked up case-sensitively; ``ies`` and ``ied`` keep
an e in words of four letters; y becomes i only after a consonant that is not the first letter; ``fulli`` in step 2,
where ``alli`` may expose another ending; a vowel and a consonant alone count as consonant-vowel-consonant. ROUGE: in
step 4 one ending of the list is removed, then ``ment``, then ``ent``, or else ``ion`` after s or t.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from keywright.core.errors import needs_extra
from keywright.core.word_lists import read_pairs
from keywright.evaluation.normal_forms.spacy2 import split_chunks, tokenise_chunk
from keywright.evaluation.rules import AcceptForms, Form
from keywright.text.keys import PARTS
from keywright.text.stems import look_up_lemma, semeval_stem
from keywright.text.tokens import NUMBER, SIGNS, WORDS, normal_form


class _Endings(NamedTuple):
    """Endings with their replacements, and a pattern that finds the longest of them at a word's end."""

    pattern: re.Pattern[str]
    replacements: Mapping[str, str]

    @classmethod
    def of(cls, replacements: Mapping[str, str]) -> "_Endings":
        return cls(re.compile(rf"(?:{'|'.join(replacements)})\Z"), replacements)

    def replace(self, word: str, above: int = 0, inside: int = 0) -> str:
        """Replace the longest ending if the measure of the stem, with ``inside`` letters of it, is above a number."""
        match = self.pattern.search(word)  # the leftmost start is the longest ending
        if not match or porter_measure(word[: match.start() + inside]) <= above:
            return word
        return word[: match.start()] + self.replacements[match[0]]


_IRREGULAR, _STEP_2 = (read_pairs("evaluation/normal_forms/porter.txt", name) for name in ("IRREGULAR", "STEP_2"))
_STEP_2_NLTK: Final = _Endings.of({**_STEP_2, "fulli": "ful"})
_STEP_2_ROUGE: Final = _Endings.of({**_STEP_2, "logi": "log"})
_LOGI: Final = _Endings.of({"logi": "log"})
_STEP_3: Final = _Endings.of(
    {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
)
_STEP_4: Final = dict.fromkeys("al ance ence er ic able ible ant ement ou ism ate iti ous ive ize".split(), "")
_STEP_4_NLTK: Final = _Endings.of(_STEP_4 | {"ment": "", "ent": ""})
_STEP_4_ROUGE: Final = tuple(_Endings.of(endings) for endings in (_STEP_4, {"ment": ""}, {"ent": ""}))
_ION: Final = _Endings.of({"sion": "s", "tion": "t"})
_KINDS: Final = str.maketrans({letter: "v" if letter in "aeiou" else "c" for letter in map(chr, range(128))})
_SHORT: Final = 2  # length up to which a word stays as it is
_SHORT_IE: Final = 4  # length of the words (``dies``, ``died``) whose ``ie`` NLTK keeps


@lru_cache(maxsize=1 << 16)
def nltk_stem(word: str) -> str:
    """Return NLTK's stem of a token."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= _SHORT:
        return word
    lower = word.lower()
    stem = lower[:-1] if lower.endswith("ies") and len(lower) == _SHORT_IE else _strip_plural(lower)
    stem = stem[: -1 if len(stem) == _SHORT_IE else -2] if stem.endswith("ied") else _strip_past(stem)
    if stem.endswith("y") and len(stem) > _SHORT and letter_shape(stem)[-2] == "c":
        stem = stem[:-1] + "i"
    if stem.endswith("alli") and porter_measure(stem[:-4]):
        stem = stem[:-2]
    stem = _LOGI.replace(stem, inside=1) if stem.endswith("logi") else _STEP_2_NLTK.replace(stem)
    stem = _STEP_3.replace(stem)
    stem = _ION.replace(stem, 1, inside=1) if stem.endswith("ion") else _STEP_4_NLTK.replace(stem, 1)
    return _tidy_end(stem)


@lru_cache(maxsize=1 << 16)
def rouge155_stem(word: str) -> str:
    """Return ROUGE's stem of a word of lower-case ASCII letters and digits, without its list of exceptions."""
    if len(word) <= _SHORT:
        return word
    stem = _strip_past(_strip_plural(word), nltk=False)
    if stem.endswith("y") and "v" in letter_shape(stem[:-1]):
        stem = stem[:-1] + "i"
    stem = _STEP_3.replace(_STEP_2_ROUGE.replace(stem))
    first, second, third = _STEP_4_ROUGE
    stem = second.replace(first.replace(stem, 1), 1)
    stem = third.replace(stem, 1) if stem.endswith("ent") else _ION.replace(stem, 1, inside=1)
    return _tidy_end(stem, nltk=False)


def _strip_plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str, *, nltk: bool = True) -> str:
    """Apply step 1b."""
    if word.endswith("eed"):
        return word[:-1] if porter_measure(word[:-3]) else word
    stem = word.removesuffix("ed" if word.endswith("ed") else "ing")
    if stem == word or "v" not in letter_shape(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and letter_shape(stem)[-1] == "c" and (nltk or stem[-1] != "y"):
        return stem if stem[-1] in "lsz" else stem[:-1]
    if stem.endswith("*d"):  # Porter's sign for a doubled consonant, which NLTK also reads as a literal ending
        return stem[:-2] + "d"
    return stem + "e" if porter_measure(stem) == 1 and _ends_short(stem, nltk=nltk) else stem


def _tidy_end(word: str, *, nltk: bool = True) -> str:
    """Apply steps 5a and 5b: remove a final e, and one of two final l."""
    if word.endswith("e"):
        count = porter_measure(word[:-1])
        if count > 1 or (count == 1 and not _ends_short(word[:-1], nltk=nltk)):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and porter_measure(word) > 1 else word


def letter_shape(word: str) -> str:
    """Map each character to ``v`` (vowel) or ``c``; y is a vowel after a consonant."""
    if "y" not in word and word.isascii():
        return word.translate(_KINDS)
    kinds: list[str] = []
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == ["c"])
        kinds.append("v" if vowel else "c")
    return "".join(kinds)


def porter_measure(word: str) -> int:
    """Count how often a consonant follows a vowel."""
    return letter_shape(word).count("vc")


def _ends_short(word: str, *, nltk: bool) -> bool:
    """Check whether a word ends in consonant, vowel, consonant other than w, x, y, or (NLTK) is a vowel and another."""
    shape = letter_shape(word)
    return (nltk and shape == "vc") or (shape.endswith("cvc") and word[-1] not in "wxy")


_CACHED: Final = 1 << 16  # phrases, chunks between white space, and words whose forms are cached; arbitrary
_NO_BREAK: Final = "\u00a0"


@lru_cache(maxsize=_CACHED)
def spacy2_tokens(phrase: str) -> Form:
    """Return tokens, case kept."""
    return " ".join([token for chunk in split_chunks(phrase) for token, _ in tokenise_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def spacy2_lower(phrase: str) -> Form:
    """Return tokens in lower case."""
    return spacy2_tokens(phrase).lower()


@lru_cache(maxsize=_CACHED)
def spacy2_lemmas(phrase: str) -> Form:
    """Look up lemmas in the table, then lower-case them."""
    return " ".join(map(_lemmatise_chunk, split_chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def nltk325_stems(phrase: str) -> Form:
    """Stem tokens as NLTK 3.2.5 does: words of one or two characters keep their case."""
    return " ".join(map(_stem_chunk, split_chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def _lemmatise_chunk(chunk: str) -> str:
    lowered = [lemma.lower() for _, lemma in tokenise_chunk(chunk)]
    return " ".join([lemma.replace(" ", _NO_BREAK) if lemma.strip() else lemma for lemma in lowered])


@lru_cache(maxsize=_CACHED)
def _stem_chunk(chunk: str) -> str:
    return " ".join([nltk_stem(token) for token, _ in tokenise_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def modern_words(phrase: str) -> Form:
    """Return parts of words, case kept."""
    return " ".join(PARTS.findall(unicodedata.normalize("NFKC", phrase)))


@lru_cache(maxsize=_CACHED)
def modern_lower(phrase: str) -> Form:
    """Return parts of words in normal form, which is lower case."""
    return " ".join(PARTS.findall(normal_form(phrase)))


@lru_cache(maxsize=_CACHED)
def modern_lemmas(phrase: str) -> Form:
    """Return lemmas of simplemma, in lower case."""
    return " ".join(map(_lemmatise_word, modern_lower(phrase).split()))


@lru_cache(maxsize=_CACHED)
def modern_stems(phrase: str) -> Form:
    """Return stems of lower-case words (Martin's variant of Porter's algorithm)."""
    return " ".join(map(semeval_stem, modern_lower(phrase).split()))


@lru_cache(maxsize=_CACHED)
def _lemmatise_word(word: str) -> str:
    with needs_extra("eval", "modern lemmas need the package simplemma"):
        return look_up_lemma(word, "en").lower()


UNKNOWN: Final = "<unk>"
_TOKEN: Final = re.compile(rf"<[a-z_]+>|[a-z0-9]+|{SIGNS}")


def blank_tokens(phrase: str) -> Form:
    """Return the phrase without white space around it: its tokens are separated by single blanks."""
    return phrase.strip()


def blank_stems(phrase: str) -> Form:
    """Lower-case and stem (NLTK) each token between single blanks; two blanks in a row make an empty token."""
    return " ".join(map(nltk_stem, phrase.strip().lower().split(" ")))


@lru_cache(maxsize=1 << 16)
def _stem_token(token: str) -> str:
    """Return the stem of an ASCII token, the normal form of any other, one sign for every number."""
    if token.isdecimal():
        return NUMBER
    return nltk_stem(token) if token.isascii() else normal_form(token)


def published_stems(text: str) -> Form:
    """Stem (NLTK) text tokenised as the published files are: lower case, runs of letters and digits, a few signs alone.

    Every other character separates tokens; numbers become ``<digit>``. Text that was tokenised so before is unchanged.
    """
    return " ".join(map(_stem_token, _TOKEN.findall(text.lower())))


def published_tokens(text: str) -> Form:
    """Tokenise text as ``published_stems`` does, without stemming: for gold that ships stemmed."""
    return " ".join(NUMBER if token.isdecimal() else token for token in _TOKEN.findall(text.lower()))


def stems_of_any_script(text: str) -> Form:
    """Apply ``published_stems`` to texts of any script; only ASCII words are stemmed, and the two are equal there."""
    tokens = _TOKEN if text.isascii() else WORDS
    return " ".join(map(_stem_token, tokens.findall(text.lower())))


def tokens_of_any_script(text: str) -> Form:
    """Tokenise text as ``stems_of_any_script`` does, without stemming: for gold that ships stemmed."""
    if text.isascii():
        return published_tokens(text)
    return " ".join(NUMBER if token.isdecimal() else normal_form(token) for token in WORDS.findall(text.lower()))


_PUNCTUATION: Final = frozenset(",.")  # tokens by which Chan's evaluator recognises a phrase that is not valid
valid: Final = AcceptForms("valid", refused=_PUNCTUATION)
valid_not_empty: Final = AcceptForms("valid_not_empty", empty=False, refused=_PUNCTUATION)
known_words: Final = AcceptForms("known", refused=frozenset({UNKNOWN}))
valid_and_known: Final = AcceptForms("valid_and_known", refused=_PUNCTUATION | {UNKNOWN})
valid_known_not_empty: Final = AcceptForms("telling", empty=False, refused=valid_and_known.refused)
