"""Words written together in Arabic: conjunctions, prepositions and the article before a word, pronouns behind it.

``splits`` lists every division that the letters allow; only a dictionary can decide among them.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from keywright.text.arabic.normal_forms import ALEF, MAQSURA, MARBUTA

CONJUNCTIONS: Final = ("", "و", "ف")
PREPOSITIONS: Final = ("", "ب", "ك", "ل")
FUTURE: Final = "س"
ARTICLE: Final = "ال"
PRONOUNS: Final = ("هما", "كما", "ها", "هم", "هن", "كم", "كن", "نا", "ني", "ه", "ك", "ي")
"""Pronouns behind a word, longest first."""

_LEAST: Final = 2  # letters of a word without its clitics: the shortest nouns
_HAMZA_ON_A_CARRIER: Final = "ؤئ"  # forms that a final hamza has before a pronoun


class Split(NamedTuple):
    """One division of a written word.

    Attributes:
        before: conjunction, preposition and sign of the future, as written, in their order.
        article: whether the article is before the word.
        word: the rest.
        pronoun: the pronoun behind it, or nothing.
    """

    before: tuple[str, ...]
    article: bool
    word: str
    pronoun: str

    @property
    def clitics(self) -> int:
        """Number of clitics; the article is not counted."""
        return len(self.before) + (self.pronoun != "")


def splits(written: str) -> Iterator[Split]:
    """Yield the divisions of a word without vowel points, the whole word first.

    The preposition l- and the article are written ll-, and both are found again. No pronoun follows a word with an
    article.

    >>> [split.word for split in splits("والقرية")]
    ['والقرية', 'القرية', 'قرية']
    """
    for conjunction, preposition in product(CONJUNCTIONS, (*PREPOSITIONS, FUTURE)):
        before = tuple(filter(None, (conjunction, preposition)))
        start = conjunction + preposition
        if not written.startswith(start):
            continue
        rest = written[len(start) :]
        if len(rest) >= _LEAST or not start:
            yield from _behind(before, rest)
        article = _without_article(rest, preposition)
        if len(article) >= _LEAST:
            yield Split(before, article=True, word=article, pronoun="")


def original_endings(split: Split) -> tuple[str, ...]:
    """Return the forms a word has without its pronoun: ta marbuta, alef maqsura and hamza change before one.

    >>> original_endings(Split((), False, "دراجت", "هم"))
    ('دراجت', 'دراجة')
    """
    word = split.word
    if not split.pronoun:
        return (word,)
    if word.endswith("ت"):
        return (word, word[:-1] + MARBUTA)
    if word.endswith(ALEF):
        return (word, word[:-1] + MAQSURA)
    if word[-1] in _HAMZA_ON_A_CARRIER:
        return (word, word[:-1] + "ء")
    if word.endswith("و"):
        return (word, word + ALEF)  # the silent alef of verbs
    return (word,)


def _behind(before: tuple[str, ...], rest: str) -> Iterator[Split]:
    yield Split(before, article=False, word=rest, pronoun="")
    for pronoun in PRONOUNS:
        word = rest.removesuffix(pronoun)
        if word != rest and len(word) >= _LEAST:
            yield Split(before, article=False, word=word, pronoun=pronoun)


def _without_article(rest: str, preposition: str) -> str:
    """Return the word behind the article, nothing where there is none; l- and the article are written ll-."""
    if preposition == "ل":
        return rest[1:] if rest.startswith("ل") else ""
    return rest[len(ARTICLE) :] if rest.startswith(ARTICLE) else ""
