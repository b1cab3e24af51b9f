"""Words of scripts that are written without blanks, and particles of Korean words.

Chinese, Japanese, Thai, Lao, Khmer and Burmese words are those of ICU's dictionaries, by ``icu4py`` (extra
``scripts``). Korean writes particles and endings to its nouns (*리더는*); ``kiwipiepy`` (extra ``korean``) tells them
apart, else a list. Phrases are compared by characters, so that a label is found however it would be cut alone.
"""

import importlib.util
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar

from keywright.core.errors import describe_install
from keywright.core.saving import MODELS
from keywright.core.word_lists import read_sections, read_words
from keywright.core.zstandard import zstd

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
HIRAGANA: Final = "\u3040-\u309f"
KATAKANA: Final = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_THAI_AND_LAO: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0eff"
SOUTHEAST: Final = _THAI_AND_LAO + "\u1000-\u1049\u104c-\u109f\u1780-\u17d3\u17dc\u17dd\u17e0-\u17e9"
UNSPACED: Final = HAN + HIRAGANA + KATAKANA + SOUTHEAST
"""Letters, as ranges of a pattern's class, of the scripts that are written without blanks; Thai, Lao, Burmese and Khmer
are those of Southeast Asia."""
HANGUL: Final = "\uac00-\ud7a3"

BY_ICU: Final = frozenset({"zh", "ja", "th", "lo", "km", "my"})  # languages whose words ICU's dictionaries tell apart
KOREAN: Final = "ko"
NO_BORDERS: Final = "none"
Borders: TypeAlias = tuple[tuple[int, int], ...]

_CACHED: Final = 1 << 13  # words that a function remembers; four times as many would spare an abstract 30 microseconds
MOST_WORDS: Final = 20_000  # words of a table that is cleared; five times as many would spare an abstract 4
_LONGEST: Final = 250  # characters of a word that is remembered: words of strangers may have millions. Arbitrary
Answer = TypeVar("Answer")


class _Answers(dict[str, Answer]):
    """Answers of a function of a word; a dictionary answers several times as fast as a cached function."""

    def __init__(self, function: Callable[[str], Answer]) -> None:
        self._function = function

    def __missing__(self, word: str) -> Answer:
        if len(self) >= _CACHED:
            self.clear()
        answer = self._function(word)
        return answer if len(word) > _LONGEST else self.setdefault(word, answer)


def cache_words(function: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return a function of a word that remembers its last answers, but for long words."""
    return _Answers(function).__getitem__


def forget_words(table: dict[str, Any], words: Iterable[str]) -> None:
    """Clear a table of words that is full, or where one of the last words is long."""
    if len(table) > MOST_WORDS or any(len(word) > _LONGEST for word in words):
        table.clear()


def find_word_borders(language: str) -> str:
    """Return where words of a language end on this machine: at ``spaces``, by ``icu`` or ``kiwi``, or ``none``."""
    if language in BY_ICU:
        return "icu" if find_packages()["icu4py"] else NO_BORDERS
    return "kiwi" if language == KOREAN and find_packages()["kiwipiepy"] else "spaces"


def describe_missing(language: str) -> str:
    """Return what to install for the words of a language; empty where nothing is missing."""
    what, extra = "", ""
    if (borders := find_word_borders(language)) == NO_BORDERS:
        what, extra = "runs of characters instead of words", "scripts"
    elif language == KOREAN and borders != "kiwi":
        what, extra = "particles are taken off by a short list", "korean"
    # The first way to install an extra: this is a note in passing, not an error.
    return f"{what}; for more: {describe_install(extra).partition(', or ')[0]}" if extra else ""


@cache
def find_packages() -> dict[str, bool]:
    """Return whether each package that tells words apart is installed, without loading it."""
    return {name: importlib.util.find_spec(name) is not None for name in ("icu4py", "kiwipiepy")}


@cache
def _load_kiwi() -> Any:
    from kiwipiepy import Kiwi  # noqa: PLC0415  (an extra)

    # Names of several words, which candidates join anyway, would take 180 MB and half of the time of loading.
    return Kiwi(num_workers=1, load_multi_dict=False)


_KANA: Final = re.compile(rf"(?:(?![・゠])[{KATAKANA}])+")
_WITHOUT_ICU: Final = re.compile(rf"[{HAN}]|[{HIRAGANA}]+|[・゠]|{_KANA.pattern}|[^{HAN}{HIRAGANA}{KATAKANA}]+")
_LEAST_LOAN: Final = 2  # least characters of a word in Katakana; arbitrary, one is a syllable
_INVISIBLE: Final = frozenset("\u200b\u200c\u200d")
_NOMINALISING: Final = frozenset("การ ความ ผู้ นัก ชาว".split())  # Thai, of which the next word makes a noun: *การรับประกัน*


@cache_words
def split_unspaced(run: str) -> Borders:
    """Return begin and end of each word of a run of characters without blanks, in order.

    Without ICU each Han character, each run of one sort of Kana and each run of another script is a word.
    """
    if not find_packages()["icu4py"]:
        return tuple(match.span() for match in _WITHOUT_ICU.finditer(run))
    from icu4py.breakers import WordBreaker  # noqa: PLC0415  (an extra)

    # The dictionaries go by script, whatever the locale.
    borders = [begin for begin, _ in WordBreaker(run, "zh").segments()]
    for match in _KANA.finditer(run):
        # The dictionary cuts loan words that it lacks into syllables: such a run stays whole.
        inner = [at for at in borders if match.start() < at < match.end()]
        ends = [match.start(), *inner, match.end()]
        if any(after - before < _LEAST_LOAN for before, after in itertools.pairwise(ends)):
            borders = [at for at in borders if at not in set(inner)]
    if _THAI.search(run):
        borders = _join_compounds(run, borders)
    torn = {end for begin, end in itertools.pairwise(borders) if run[begin:end] in _NOMINALISING}
    borders = [at for at in borders if at not in torn]
    pairs = zip(borders, [*borders[1:], len(run)], strict=True)
    return tuple((begin, end) for begin, end in pairs if not _INVISIBLE.issuperset(run[begin:end]))


COMPOUNDS: Final = MODELS / "compounds_th.txt.zst"
"""Thai words that ICU's dictionary cuts (*หัว|เทียน*, spark plug), made by ``tools/train/build_common_words.py``."""
_THAI: Final = re.compile("[\u0e01-\u0e4e]")
_PARTS: Final = 5  # words of ICU that a compound joins at most; one in a hundred has more


@cache
def _load_compounds() -> frozenset[str]:
    return frozenset(zstd.decompress(COMPOUNDS.read_bytes()).decode("utf-8").split())


def _join_compounds(run: str, borders: list[int]) -> list[int]:
    """Return begins of words, without those inside a compound; the longest compound from the left counts."""
    compounds, ends, begins, at = _load_compounds(), [*borders[1:], len(run)], list[int](), 0
    while at < len(borders):
        begins.append(borders[at])
        places = range(min(at + _PARTS, len(borders)) - 1, at, -1)
        at = next((last for last in places if run[borders[at] : ends[last]] in compounds), at) + 1
    return begins


NUMERAL: Final = read_sections("text/token_patterns.txt")["HAN_NUMBER"]
_PARTICLES: Final = read_words("text/particles_ko.txt")
_PARTICLE: Final = re.compile(f"(?P<noun>.*?[{HANGUL}]{{2}}|.*[A-Za-z0-9])(?P<particle>{'|'.join(sorted(_PARTICLES))})")
"""Rarer ones of one syllable (*인*, *라*, *고*) end too many nouns: *파이프라인*."""
_SURE: Final = frozenset("은 는 을 를 의 에 로 와 과 도 만 들 인 이 가".split())
_VERBAL: Final = re.compile(read_sections("text/token_patterns.txt")["KOREAN_VERBS"].replace("<<HANGUL>>", HANGUL))
"""Korean verbs and adjectives by their endings: they are no phrases, and neither begin nor end one."""
_SHORT_VERB: Final = re.compile(
    f"(?!가을|마을|노을)[{HANGUL}][을는]|[{HANGUL}]*[{''.join(map(chr, range(0xAC04, 0xD7A4, 28)))}]다"
)
"""Attributes of two syllables (*받을*), and sentences' last verbs, by the final consonant before *다* (*나온다*)."""

_NOMINAL: Final = frozenset("NNG NNP SL SH SN XR XPN".split())
_OF_NOUN: Final = "XSN"
_HANGUL: Final = re.compile(f"[{HANGUL}]")


def split_korean(word: str) -> Borders:
    """Return begin and end of the nouns of a word, and of what is written to them, in order."""
    if not _HANGUL.search(word):
        return ((0, len(word)),)
    if not find_packages()["kiwipiepy"]:
        match = None if _VERBAL.fullmatch(word) else _PARTICLE.fullmatch(word)
        return ((0, match.start("particle")), (match.start("particle"), len(word))) if match else ((0, len(word)),)
    borders = [0]
    was_noun: bool | None = None
    for start, is_noun in _classify_morphemes(word):
        if was_noun is not None and is_noun != was_noun and start > borders[-1]:
            borders.append(start)
        was_noun = is_noun
    return tuple(zip(borders, [*borders[1:], len(word)], strict=True))


def _classify_morphemes(word: str) -> Iterator[tuple[int, bool]]:
    """Yield the begin of each morpheme, and whether it belongs to a noun; *들* (plural) does not."""
    for token in _load_kiwi().tokenize(word):
        yield token.start, token.tag in _NOMINAL or (token.tag == _OF_NOUN and token.form != "들")


@cache_words
def is_functional(form: str) -> bool:
    """Return whether a Korean form has no noun: a particle, an ending, a verb, an adverb."""
    if not _HANGUL.search(form):
        return False
    if form in _SURE or form in _PARTICLES:
        return True
    if not find_packages()["kiwipiepy"]:
        return bool(_VERBAL.fullmatch(form) or _SHORT_VERB.fullmatch(form))
    return not any(is_noun for _, is_noun in _classify_morphemes(form))
