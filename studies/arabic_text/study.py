"""Programs that give a written Arabic word a lemma or a stem, ours and others, as far as they are installed.

The Arabic study: lemmas of several programs and the tags of ours, on the treebank UD Arabic-PUD in one run.

Lemmas are compared on the written words with exactly one content word, clitics attached, without vowel points, with all
forms of alef and of the final ya unified. Our rules were developed on the documents with even numbers, so these and the
others are apart. Tags come from ten-fold cross-validation over documents, words without signs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import Stemmer

from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.experiments.study import Study, TableRow, format_decimal
from keywright.text.arabic.lemmas import lemmatiser
from keywright.text.arabic.spelling import FOLDED
from keywright.text.tokens import normal_form
from studies.arabic_text.treebank import NOMINAL, Sentence, accuracy, cross_validated, treebank
from studies.tables import lay_out_rows, list_uniform_records

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

LEMMAS, TAGS = "lemmas", "tags"


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """Accuracy of one program.

    Attributes:
        task: ``lemmas`` or ``tags``.
        tool: name of the program.
        licence: of the program; nothing for none.
        words: number of words.
        right: share of words with the right lemma or tag, 0 to 1.
        nominal: the same of nouns and adjectives.
        held_out: share of words in documents that no rule was developed on; for tags the same as ``right``.
        merged: tags only: share with names and nouns as one.
    """

    task: str
    tool: str
    licence: str
    words: int
    right: float
    nominal: float
    held_out: float
    merged: float | None = None


def rows(*, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Row, ...]:
    """Measure every program that is installed, then our tagger.

    Raises:
        MissingData: the treebank is not on this machine.
        MissingExtra: simplemma is not installed.
    """
    sentences = treebank(mirror)
    measured = [measure(tool, sentences) for tool in tools()]
    tags = accuracy(cross_validated(sentences, progress))
    ours = Row(TAGS, "keywright", "CC BY-SA 3.0", tags.words, tags.all, tags.nominal, tags.all, tags.merged)
    return (*measured, ours)


def measure(tool: Tool, sentences: Iterable[Sentence]) -> Row:
    """Return the accuracy of one program's lemmas."""
    right: list[bool] = []
    nominal: list[bool] = []
    held_out: list[bool] = []
    for sentence in sentences:
        lemmas = tool.lemmas([normal_form(word.text) for word in sentence.words])
        for word, lemma in zip(sentence.words, lemmas, strict=True):
            if word.lemma:
                hit = FOLDED(normal_form(lemma)) == word.lemma
                right.append(hit)
                nominal.extend([hit] if word.tag in NOMINAL else ())
                held_out.extend([hit] if sentence.document % 2 else ())
    return Row(LEMMAS, tool.name, tool.licence, len(right), _mean(right), _mean(nominal), _mean(held_out))


def _mean(hits: Sequence[bool]) -> float:
    return sum(hits) / max(1, len(hits))


_LEMMA_COLUMNS: Final[Mapping[str, Callable[[Row], str]]] = {
    "program": lambda row: row.tool,
    "licence": lambda row: row.licence,
    "words": lambda row: str(row.words),
    "right": lambda row: f"{row.right:.3f}",
    "nouns and adjectives": lambda row: f"{row.nominal:.3f}",
    "held out": lambda row: f"{row.held_out:.3f}",
}
_TAG_COLUMNS: Final[Mapping[str, Callable[[Row], str]]] = {
    "program": lambda row: row.tool,
    "words": lambda row: str(row.words),
    "right": lambda row: f"{row.right:.3f}",
    "names and nouns as one": lambda row: format_decimal(row.merged, 3),
    "nouns and adjectives": lambda row: f"{row.nominal:.3f}",
}
_NOTES: Final = (
    "held out: words of the documents that our rules were not developed on",
    "each word is given by itself, but to farahidi once with its sentence; no other program was developed here",
    "a stemmer makes no lemmas: its line only shows that",
)


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the table of lemmas and that of tags."""
    words = ("program", "licence")
    yield lay_out_rows(
        "Lemmas of written words", [row for row in rows if row.task == LEMMAS], _LEMMA_COLUMNS, words, _NOTES
    )
    yield lay_out_rows("Universal parts of speech", [row for row in rows if row.task == TAGS], _TAG_COLUMNS, words)


STUDY: Final = Study("arabic-text", rows, (Row,), sheets, lines=list_uniform_records)
