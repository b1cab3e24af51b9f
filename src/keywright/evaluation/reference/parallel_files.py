"""Three parallel line files: a source, a list of gold phrases and a list of predictions in each line.

A source line is ``title <eos> text``; phrases are separated by semicolons, white space around them is stripped. A byte
order mark is part of the first line, an empty line is one empty phrase.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.errors import BadRecord, UnreadableInput
from keywright.evaluation.answers import Answers, GoldDocument, GoldSet, read_limited_file

TITLE_END: Final = "<eos>"
BETWEEN: Final = ";"
GOLD: Final = "author"


@dataclass(frozen=True, slots=True)
class Parallel:
    """Lines of three files, (documents,) each."""

    sources: tuple[str, ...]  # title and text, joined by a blank
    targets: tuple[tuple[str, ...], ...]  # gold phrases
    predictions: tuple[tuple[str, ...], ...]  # predicted phrases, best first
    cut: int  # lines of the longest file that the shortest lacks

    @property
    def ids(self) -> tuple[str, ...]:
        """Line numbers from 1, (documents,)."""
        return tuple(str(number + 1) for number in range(len(self.sources)))

    @property
    def texts(self) -> dict[str, str]:
        """Sources by id."""
        return dict(zip(self.ids, self.sources, strict=True))

    @property
    def answers(self) -> Answers:
        """Predictions as answers of a run without a name."""
        lists = dict(zip(self.ids, self.predictions, strict=True))
        return Answers("lines", lists, len(lists))

    def gold(self, between: str | None = None) -> GoldSet:
        """Return the gold as one set; ``between`` separates the alternatives of a phrase."""
        documents = (
            GoldDocument(name, tuple(tuple(phrase.split(between)) if between else (phrase,) for phrase in phrases))
            for name, phrases in zip(self.ids, self.targets, strict=True)
        )
        return GoldSet(GOLD, tuple(documents))


def read_parallel(sources: Path, targets: Path, predictions: Path, *, same_length: bool = False) -> Parallel:
    """Read the documents of three files, as many as the shortest has.

    Raises UnreadableInput: a file is missing, too large or not UTF-8; BadRecord: a source line has not exactly one
    ``<eos>``, or files differ in length and ``same_length`` is set.
    """
    columns = [_read_lines(path) for path in (sources, targets, predictions)]
    longest, shortest = max(map(len, columns)), min(map(len, columns))
    if same_length and longest != shortest:
        message = f"files of {', '.join(str(len(column)) for column in columns)} lines"
        raise BadRecord(message, "expected one line for each document in sources, targets and predictions")
    source, target, predicted = (column[:shortest] for column in columns)
    texts = []
    for number, line in enumerate(source, start=1):
        parts = [part.strip() for part in line.split(TITLE_END)]
        if (marks := len(parts) - 1) != 1:
            message = f"line {number} of {sources} has {marks} {TITLE_END}"
            raise BadRecord(message, f"expected `title {TITLE_END} text`")
        texts.append(" ".join(parts))
    return Parallel(
        tuple(texts), tuple(map(split_phrases, target)), tuple(map(split_phrases, predicted)), longest - shortest
    )


def split_phrases(line: str) -> tuple[str, ...]:
    """Split a line into phrases; an empty line is one empty phrase."""
    return tuple(phrase.strip() for phrase in line.split(BETWEEN))


def _read_lines(path: Path) -> list[str]:
    """Read the lines of a file, stripped; any usual line end."""
    if not path.is_file():
        raise UnreadableInput(f"no file {path}", "expected a file with one line for each document")
    try:
        text = read_limited_file(path).decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{path} is not valid UTF-8: {error.reason} at byte {error.start}"
        raise UnreadableInput(message, "convert it to UTF-8") from error
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.strip() for line in lines]
