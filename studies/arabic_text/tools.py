"""Programs that give a written Arabic word a lemma or a stem, ours and others, as far as they are installed."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import Stemmer

from keywright.text.arabic.lemmas import lemmatiser

Lemma: TypeAlias = Callable[[str], str]
Lemmas: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
"""Lemma of each word of a sentence; words are without vowel points."""


class Tool(NamedTuple):
    """A program.

    Attributes:
        name: with its version where that may differ.
        licence: of the program.
        lemmas: of the words of a sentence.
    """

    name: str
    licence: str
    lemmas: Lemmas


def tools() -> Iterator[Tool]:
    """Yield the programs that are installed, ours first."""
    yield Tool("keywright", "Apache-2.0", by_word(lemmatiser()))
    for name, (licence, load) in _OTHERS.items():
        try:
            yield Tool(name, licence, load())
        except ImportError:
            continue


def by_word(lemma: Lemma) -> Lemmas:
    """Return the lemmas of a program that sees each word by itself."""
    remembered = cache(lemma)  # one run over a small treebank: no bound is needed
    return lambda words: [remembered(word) for word in words]


def in_order(words: Sequence[str], answers: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lemma of each word from answers (token, lemma), which may skip words or have more; else the word."""
    lemmas, place = [], 0
    for word in words:
        at = next((at for at in range(place, len(answers)) if answers[at][0] == word), None)
        lemmas.append(word if at is None else answers[at][1] or word)
        place = place if at is None else at + 1
    return lemmas


def _simplemma() -> Lemmas:
    import simplemma  # noqa: PLC0415

    return by_word(lambda word: str(simplemma.lemmatize(word, lang="ar")))


def _farahidi() -> Lemmas:
    import farahidi  # noqa: PLC0415

    return by_word(lambda word: in_order([word], [(each.token, each.lemma) for each in farahidi.analyze_text(word)])[0])


def _farahidi_in_context() -> Lemmas:
    import farahidi  # noqa: PLC0415

    return lambda words: in_order(words, [(each.token, each.lemma) for each in farahidi.analyze_text(" ".join(words))])


def _qalsadi() -> Lemmas:
    from qalsadi.lemmatizer import Lemmatizer  # noqa: PLC0415

    program = Lemmatizer()
    return by_word(lambda word: str(program.lemmatize(word) or word))


def _tashaphyne() -> Lemmas:
    from tashaphyne.stemming import ArabicLightStemmer  # noqa: PLC0415

    program = ArabicLightStemmer()

    def stem(word: str) -> str:
        program.light_stem(word)
        return program.get_stem() or word

    return by_word(stem)


_OTHERS: Final[dict[str, tuple[str, Callable[[], Lemmas]]]] = {
    "simplemma": ("MIT", _simplemma),
    "farahidi": ("GPL-3.0", _farahidi),
    "farahidi, in its sentence": ("GPL-3.0", _farahidi_in_context),
    "qalsadi": ("GPL-3.0", _qalsadi),
    "PyStemmer arabic": ("MIT and BSD", lambda: by_word(Stemmer.Stemmer("arabic").stemWord)),
    "tashaphyne": ("GPL-3.0", _tashaphyne),
    "the word itself": ("", lambda: by_word(str)),
}
