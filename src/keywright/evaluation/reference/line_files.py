"""Reference scorers on lines: three parallel files of keyphrase generation, and the official text of SemEval-2010.

Parallel files have a source, a list of gold phrases and a list of predictions in each line. A source line is ``title
<eos> text``; phrases are separated by semicolons, white space around them is stripped. A byte order mark is part of the
first line, an empty line is one empty phrase. The official script's text ends at a failure in any kind of gold.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.errors import BadRecord, KeywrightError, MissingData, UnreadableInput
from keywright.evaluation.answers import (
    SEMEVAL_KINDS,
    Answers,
    GoldDocument,
    GoldSet,
    parse_answers,
    read_limited_file,
    read_semeval_gold_kind,
)
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.scoring.counting import HUNDRED, IndexedGold, count_hits, index_classes, rank_forms
from keywright.evaluation.scoring.scorer import compute_named_values, warn_of_size

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
    accepted, listed = (tuple(map(split_phrases, lines)) for lines in (target, predicted))
    return Parallel(tuple(texts), accepted, listed, longest - shortest)


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


_RULE: Final = "-" * 85


@dataclass(frozen=True, slots=True)
class OfficialText:
    """Output of a drop-in replacement for the script."""

    text: str  # for standard output; after a failure, the text that the script would have printed until then
    status: int  # exit status; 0 when all three blocks were printed, else 1
    messages: tuple[str, ...]  # for standard error: warnings about the input, and last the failure


def official_text(answers: Path | None, gold: Path, protocol: Protocol = SEMEVAL2010) -> OfficialText:
    """Score an answer file as the official script does; bad input raises nothing, nor does no file at all (None).

    ``gold``: folder of the three gold files; ``protocol``: ``SEMEVAL2010``, or one derived from it.
    """
    text = ""
    messages: list[str] = []

    def sets() -> Iterator[IndexedGold]:
        for kind in SEMEVAL_KINDS:
            index = index_classes(read_semeval_gold_kind(gold, kind, protocol.marks), protocol, {})[PhraseClass.ALL]
            messages.extend(warn_of_size(kind, len(index.ids), protocol))
            yield index

    try:
        if answers is None or not answers.is_file():
            message = "no answer file was named" if answers is None else f"no file {answers}"
            raise MissingData(message, "name the file that holds one line for each document")
        parsed = parse_answers(read_limited_file(answers), protocol.marks)
        messages.extend(parsed.warnings)
        for part in iterate_text(parsed, sets(), protocol):
            text += part
    except (KeywrightError, OSError) as error:
        return OfficialText(text, 1, (*messages, str(error)))
    return OfficialText(text, 0, tuple(messages))


def iterate_text(answers: Answers, gold: Iterable[IndexedGold], protocol: Protocol) -> Iterator[str]:
    """Yield the printed text, two pieces for each gold set, which is read only then."""
    forms = rank_forms(answers.lists, protocol)
    for index in gold:
        counts = count_hits(index, forms, protocol)
        yield f"You answered {answers.lines} over {HUNDRED} test document\n"
        kind = index.gold.by
        values = compute_named_values(kind, counts, protocol)
        lines = [_RULE, f"[{kind.upper()}] Match_Precision_Recall_Fscore"]
        for k, matches in zip(counts.cutoffs, counts.hits.sum(axis=0).tolist(), strict=True):
            percents = [f"{values[f'{kind}/{name}@{k}'] * 100:.2f}%" for name in ("P", "R", "F")]
            lines.append(f"Top {k:02}:\t{matches}\t" + "\t".join(percents))
        yield "\n".join(lines) + "\n"
