"""Gaps of a vocabulary, from the keyphrases of a collection."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from keywright.api.vocabularies import load_vocabulary
from keywright.core.errors import BadParameter, EmptyInput, MissingData, UnreadableInput
from keywright.core.json_values import check_object
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import read_outcome
from keywright.evaluation.run_formats.format import locate_errors
from keywright.extraction.vocabularies.gaps import GapCounter, VocabularyGaps
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.reading.file_names import explain_missing
from keywright.reading.limits import open_unpacked
from keywright.reading.sources import DEFAULT_LIMITS

_EXPECTED = "JSON Lines that `keywright extract -o FILE.jsonl` wrote"


def vocabulary_gaps(
    results: str | Path | Iterable[Prediction | Failure],
    vocabulary: str | Path | VocabularyIndex,
    *,
    min_documents: int = 2,
) -> VocabularyGaps:
    r"""Return frequent keyphrases of a collection that a vocabulary lacks, and concepts that no document uses.

    >>> import keywright as kw
    >>> with open("thesaurus.csv", "w") as file:
    ...     _ = file.write("uri,label\nurn:ex:1,battery life\nurn:ex:2,tides\n")
    >>> index = kw.build_vocabulary("thesaurus.csv", "thesaurus")
    >>> results = [kw.extract(kw.read("examples/article.txt"), top=3)]
    >>> gaps = kw.vocabulary_gaps(results, index, min_documents=1)
    >>> [gap.phrase for gap in gaps.missing], [concept.label for concept in gaps.unused]
    (['soil moisture', 'irrigation', 'adaptive sampling'], ['battery life', 'tides'])

    Args:
        results: predictions, or a file or folder of JSON Lines that ``extract`` wrote, packed or not; made without a
            vocabulary, whose concepts would come before all other phrases.
        vocabulary: an index of concepts, or its folder.
        min_documents: number of documents that a missing phrase is a keyphrase of, at least.

    Raises:
        BadParameter: the vocabulary has no concepts, or the number is below 1.
        UnreadableInput: the results cannot be read; the message names the line.
    """
    if min_documents < 1:
        raise BadParameter(f"min_documents {min_documents}", "expected a number from 1")
    index = vocabulary if isinstance(vocabulary, VocabularyIndex) else load_vocabulary(vocabulary)
    counter, number, failures = GapCounter(index), 0, 0
    outcomes = _read_results(Path(results)) if isinstance(results, str | Path) else results
    for outcome in outcomes:
        number += 1
        if isinstance(outcome, Failure):
            failures += 1
        else:
            counter.add(outcome)
    if not number:
        raise EmptyInput("there are no results", f"expected {_EXPECTED}")
    return counter.finish(min_documents, failures)


def _read_results(path: Path) -> Iterator[Prediction | Failure]:
    """Yield the outcomes in a file, or in the files of a folder, line by line."""
    if not path.exists():
        raise MissingData(*explain_missing(str(path)))
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    for file in files:
        try:
            with file.open("rb") as stream:
                yield from _read_lines(open_unpacked(stream, file.name, DEFAULT_LIMITS), file.name)
        except OSError as error:
            raise UnreadableInput(f"{file} cannot be opened: {error.strerror}", "check its permissions") from error


def _read_lines(lines: Iterable[bytes], name: str) -> Iterator[Prediction | Failure]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        with locate_errors(f"line {number} of {name}", _EXPECTED):
            record = check_object(json.loads(line))
            if "id" not in record and number == 1:
                continue  # the header of a run
            outcome = read_outcome(record)
        yield outcome
