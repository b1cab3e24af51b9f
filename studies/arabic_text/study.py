"""The Arabic study: lemmas of several programs and the tags of ours, on the treebank UD Arabic-PUD in one run.

Lemmas are compared on the written words with exactly one content word, clitics attached, without vowel points, with all
forms of alef and of the final ya unified. Our rules were developed on the documents with even numbers, so these and the
others are apart. Tags come from ten-fold cross-validation over documents, words without signs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.experiments.study import Study, TableRow, format_decimal, lay_out_rows, list_uniform_records
from keywright.text.arabic.spelling import FOLDED
from keywright.text.tokens import normal_form
from studies.arabic_text.tools import Tool, tools
from studies.arabic_text.training import NOMINAL, accuracy, cross_validated
from studies.arabic_text.treebank import Sentence, treebank

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
