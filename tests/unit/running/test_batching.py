"""Documents in batches: a system that works on several together gets them so on every path, with the same outcomes."""

import itertools
import json
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

import keywright as kw
from keywright.core.candidates import Ranking
from keywright.core.errors import UnreadableInput
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure

TEXTS = [f"Text n{number} of many." for number in range(40)]


@dataclass(frozen=True)
class Together:
    """Gives each text's second word; remembers how many documents it got together."""

    batches: list[int] = field(default_factory=list, metadata={"signed": False})
    name: ClassVar[str] = "together"
    needs: ClassVar[frozenset[str]] = frozenset()

    def extract(self, document):
        words = document.source.text.split()
        return Ranking.from_keyphrases(document.source, [Keyphrase(word, 1.0) for word in words[1:2]])

    def prefetch(self, documents):
        self.batches.append(len(documents))


def firsts(outcomes):
    return [outcome.code if isinstance(outcome, Failure) else outcome.texts[0] for outcome in outcomes]


EXPECTED = [f"n{number}" for number in range(40)]


@pytest.mark.parametrize("as_input", [list, iter])
@pytest.mark.parametrize("errors", ["keep", "raise"])
def test_an_iterable_is_extracted_in_batches(as_input, errors):
    system = Together()
    assert firsts(kw.extract(as_input(TEXTS), system, errors=errors)) == EXPECTED
    assert system.batches == [1, 2, 4, 8, 16, 9]


def test_a_stream_is_read_a_batch_ahead_and_no_further():
    system, count = Together(), itertools.count()
    stream = kw.extract((f"Text n{number} of many." for number in count), system)
    assert firsts(itertools.islice(stream, 17)) == EXPECTED[:17]
    assert next(count) == 1 + 2 + 4 + 8 + 16


def test_bad_items_cost_themselves_alone():
    system = Together()
    items = [*TEXTS[:3], "", *TEXTS[3:6], 7]
    assert firsts(kw.extract(items, system)) == [*EXPECTED[:3], "empty_input", *EXPECTED[3:6], "bad_parameter"]
    assert system.batches == [1, 2, 3]


def test_documents_before_a_broken_source_come_first():
    def broken():
        yield from TEXTS[:20]
        raise OSError("the line is cut")

    outcomes = []
    with pytest.raises(OSError, match="the line is cut"):
        outcomes.extend(kw.extract(broken(), Together()))
    assert firsts(outcomes) == EXPECTED[:20]


def test_documents_before_an_error_that_is_raised_come_first():
    outcomes = []
    with pytest.raises(UnreadableInput):
        outcomes.extend(kw.extract(iter([*TEXTS[:20], "", *TEXTS]), Together(), errors="raise"))
    assert firsts(outcomes) == EXPECTED[:20]


def test_files_of_records_and_folders_are_extracted_in_batches(tmp_path):
    records = tmp_path / "texts.jsonl"
    records.write_text("".join(json.dumps({"id": text, "text": text}) + "\n" for text in TEXTS))
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        (folder / f"{number:02}.txt").write_text(text)
    for path in (records, folder):
        system = Together()
        outcomes = kw.extract_files(kw.prepare(system), [path])
        assert firsts(outcome for _, outcome in outcomes) == EXPECTED
        assert system.batches == [1, 2, 4, 8, 16, 9]


def test_a_prefetch_that_fails_costs_nothing():
    class Failing(Together):
        def prefetch(self, documents):
            raise MemoryError(f"{len(documents)} documents")

    assert firsts(kw.extract(TEXTS, Failing())) == EXPECTED


def test_outcomes_of_documents_together_are_those_of_one_by_one():
    extraction = kw.prepare(top=3, language="en")
    readable = [kw.document(text, str(number)) for number, text in enumerate(TEXTS[:3])]
    documents = [*readable, Failure("x", "unreadable_input", "it is empty")]
    assert extraction.together(documents) == tuple(map(extraction, documents))
