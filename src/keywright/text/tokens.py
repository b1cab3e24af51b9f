"""Tokens of a chunk, the text between two blanks: words, numbers and signs with their places.

The letters of scripts and the normal form in which words are compared are here as well.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

from keywright.core.documents import Case
from keywright.core.word_lists import read_patterns, read_words
from keywright.text.word_borders import HAN, HIRAGANA, KATAKANA, SOUTHEAST, UNSPACED, split_korean, split_unspaced

WORD_CHARACTER: Final = (
    r"(?:(?!_)[\w\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    r"\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff\u0e00-\u109f\u1780-\u17d3])"
)
"""One letter, digit or mark, in one class: ``\\w`` has no combining marks, which are inside words of Arabic, Hebrew and
Indic. Two classes that share letters would double the time of a search that fails, with each letter."""

SPACED_CHARACTER: Final = rf"(?:(?![{HAN}{HIRAGANA}{KATAKANA}]){WORD_CHARACTER})"
"""A word character of the scripts that put blanks between words."""
_WORD: Final = rf"(?:(?![{UNSPACED}]){WORD_CHARACTER})"
_ASCII_WORD: Final = "[0-9A-Za-z]"  # the same in ASCII text, which most chunks are: four times as fast
_PLAIN_WORD: Final = r"[^\W_]"  # the same in other text without marks, and of scripts with blanks: twice as fast

_INVISIBLE = (0x00AD, 0x200B, 0x200C, 0x200D, 0xFEFF)  # soft hyphen, joiners, byte order mark
_ARABIC_VOWELS = (0x0640, *range(0x064B, 0x0660), 0x0670)  # tatweel and the short vowels
_CHANGES: Final = {**dict.fromkeys((*_INVISIBLE, *_ARABIC_VOWELS)), 0x2019: "'", 0x2018: "'", 0x2010: "-", 0x2011: "-"}
_CHANGED: Final = re.compile(f"[{''.join(map(chr, _CHANGES))}]")  # most words have none, and a search is faster


def normal_form(word: str) -> str:
    """Return a word in NFKC, lower case, with straight apostrophes and hyphens, without invisible signs and vowels."""
    if word.isascii():
        return word.lower()
    form = unicodedata.normalize("NFKC", word)
    return (form.translate(_CHANGES) if _CHANGED.search(form) else form).lower() or word


Cut: TypeAlias = tuple[str, int, bool, bool]
"""A token as a plain tuple, which costs less: its text; its first character in the chunk; whether it is an address or a
formula (a name with an underscore); whether a sentence ends behind it unless a small letter follows."""

_PATTERNS: Final = read_patterns("text/token_patterns.txt")
_SIGNS_OF_TERM: Final = re.compile(_PATTERNS["SIGNS"])
"""Signs of which ASCII terms have one, looked for once in each run of letters: most chunks have none."""
_TERM_SIGNS: Final = frozenset("-_+`´ʻʼ–.,'’(−")  # each term has one
_WITHOUT_MARKS: Final = re.compile(_PATTERNS["WITHOUT_MARKS"])
"""Chunks in Latin, Greek, most Cyrillic and Korean letters, with signs of all kinds, but no combining marks."""


@cache
def _compile_pattern(letter: str, *, has_terms: bool, has_address: bool, elides: bool = True) -> re.Pattern[str]:
    """Return the pattern of tokens with these letters; the search for the @ of addresses takes time."""
    sections = {"ADDRESSES": has_address, "TERMS": has_terms, "ELISIONS": elides, "OTHERS": True}
    wording = "".join(_PATTERNS[name] * is_looked_for for name, is_looked_for in sections.items())
    wording = wording.replace("<<UNSPACED>>", f"{HAN}{HIRAGANA}{KATAKANA}").replace("<<SOUTHEAST>>", SOUTHEAST)
    return re.compile(wording.replace("<<WORD>>", letter))


_ENDS: Final = frozenset(".!?。！？؟।…။។៕")
_OPENERS: Final = "([{\"'“‘"
_CLOSERS: Final = "\"'”’»)]}"
_ENDS_INSIDE: Final = frozenset("。！？။។៕")
_ABBREVIATIONS: Final = read_words("text/words_en.txt", "sentence_goes_on")
_DOTTED: Final = re.compile(r"(?:[^\W\d_]\.){2,}$")
_TITLES: Final = frozenset("دأم")  # Arabic abbreviations of one letter: doctor, professor, engineer


def cut(chunk: str) -> tuple[Cut, ...]:
    """Return the tokens of a chunk without white space, in order, not overlapping.

    Every character is in exactly one token, except invisible joiners. Compounds with hyphen, slash or ampersand stay
    whole, a possessive *'s* is a token of its own, and scripts without blanks have the words of ``word_borders``.
    """
    return _cut(chunk, has_terms=False)


def cut_terms(chunk: str, abbreviations: frozenset[str] = frozenset(), *, elides: bool = True) -> tuple[Cut, ...]:
    """Return tokens as ``cut``, terms whole; no sentence ends after ``abbreviations``; ``elides``: *l'eau* is two."""
    tokens = _cut(chunk, has_terms=True, elides=elides)
    if tokens[-1][3] and chunk.lstrip(_OPENERS) in abbreviations:
        return (*tokens[:-1], (*tokens[-1][:3], False))
    return tokens


def cut_korean(chunk: str, cut: Callable[[str], tuple[Cut, ...]]) -> tuple[Cut, ...]:
    """Return the tokens of a chunk, with nouns and what is written to them apart."""
    tokens: list[Cut] = []
    for text, start, symbolic, closes in cut(chunk):
        borders = ((0, len(text)),) if symbolic else split_korean(text)
        last = borders[-1][0]
        tokens += [(text[b:e], start + b, symbolic, closes and b == last) for b, e in borders]
    return tuple(tokens)


def _cut(chunk: str, *, has_terms: bool, elides: bool = True) -> tuple[Cut, ...]:
    if chunk.isascii():
        if plain := _PLAIN.fullmatch(chunk):
            return _cut_plain(chunk, *plain.groups())
        letter, has_terms = _ASCII_WORD, has_terms and bool(_SIGNS_OF_TERM.search(chunk))
    else:
        letter = _PLAIN_WORD if _WITHOUT_MARKS.fullmatch(chunk) else _WORD
        if letter == _PLAIN_WORD and chunk.isalpha():
            return ((chunk, 0, False, False),)
        has_terms = has_terms and not _TERM_SIGNS.isdisjoint(chunk)
    has_address = "@" in chunk or "://" in chunk or "www." in chunk
    pattern = _compile_pattern(letter, has_terms=has_terms, has_address=has_address, elides=elides)
    return _cut_by_pattern(chunk, pattern)


_PLAIN: Final = re.compile(_PATTERNS["PLAIN"])


def _cut_plain(chunk: str, before: str, word: str, after: str | None) -> tuple[Cut, ...]:
    """Return the tokens of an ASCII word, compound or number with at most one sign before, two different ones after.

    Most chunks have this shape. The result is that of the general pattern, at less cost.
    """
    start = len(before)
    end = start + len(word)
    tokens = [(before, 0, False, False), (word, start, False, False)] if before else [(word, start, False, False)]
    if after:
        tokens += [(sign, at, False, False) for at, sign in enumerate(chunk[end:], end)]
        if not _ENDS.isdisjoint(chunk[end:]):
            return _close_sentence(chunk, tokens)
    return tuple(tokens)


def _cut_by_pattern(chunk: str, pattern: re.Pattern[str]) -> tuple[Cut, ...]:
    tokens = []
    for match in pattern.finditer(chunk):
        text, kind = match.group(), match.lastgroup
        if kind == "unspaced":
            tokens += [(text[begin:end], match.start() + begin, False, False) for begin, end in split_unspaced(text)]
            continue
        symbolic = kind == "symbolic" or (kind == "word" and "_" in text)
        tokens.append((text, match.start(), symbolic, text in _ENDS_INSIDE))
    return _close_sentence(chunk, tokens)


def _close_sentence(chunk: str, tokens: list[Cut]) -> tuple[Cut, ...]:
    """Return the tokens, the last one closing a sentence if the chunk ends one."""
    if chunk.rstrip(_CLOSERS)[-1:] in _ENDS and not _ends_abbreviated(chunk):
        tokens[-1] = (*tokens[-1][:-1], True)
    return tuple(tokens)


def _ends_abbreviated(chunk: str) -> bool:
    """Return whether a chunk's final full stop belongs to an abbreviation or an initial and does not end a sentence."""
    core = chunk.lstrip(_OPENERS)
    if not core.endswith("."):
        return False
    stem = core[:-1]
    is_initial = len(stem) == 1 and (stem.isupper() or stem in _TITLES)
    return stem.lower() in _ABBREVIATIONS or is_initial or bool(_DOTTED.match(core))


def case_of(text: str) -> Case:
    """Return the case of a token; a single capital letter is ``CAPITAL``."""
    if text.islower() or (text.isascii() and text == text.lower()):  # signs and numbers have no case
        return Case.LOWER
    if text[1:].islower() and text[0].isupper():  # most of the others
        return Case.CAPITAL
    if not any(map(str.isupper, text)):
        return Case.LOWER
    if text.isupper():
        return Case.UPPER if sum(map(str.isalpha, text)) > 1 else Case.CAPITAL
    letters = text.lstrip("([{\"'.")
    return Case.CAPITAL if letters[:1].isupper() and not any(map(str.isupper, letters[1:])) else Case.MIXED


NUMBER: Final = "<digit>"  # word that replaces every number
SIGNS: Final = r"[_<>,().'%]"  # signs that are words by themselves; all others separate words
WORDS: Final = re.compile(
    rf"<[a-z_]+>|[{HAN}]|[{HIRAGANA}]+|[{KATAKANA}]+|(?![{HAN}{HIRAGANA}{KATAKANA}])[^\W_]{SPACED_CHARACTER}*|{SIGNS}"
)
"""Words of any script; of lower-case ASCII they are runs of letters and digits, signs and marks such as ``<digit>``."""
