"""Documents in batches with the same outcomes on every path, and parts of a command's input."""

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

import keywright as kw
from keywright.core.candidates import Ranking
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, UnreadableInput
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction
from keywright.reading.sources import Unread
from keywright.running.file_extraction import DistinctIds, Shard, select_remaining, source_id

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


SOURCES = (*(Document(f"d{n}", "x") for n in range(50)), Unread(Path("/x/a.txt"), "a.txt"), Failure("b", "c", "m"))


def test_every_document_is_in_one_shard():
    parts = [[source_id(source) for source in select_remaining(SOURCES, Shard(n, 3))] for n in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == sorted(map(source_id, SOURCES))
    assert all(parts)
    assert [source_id(source) for source in select_remaining(SOURCES, Shard(1, 1))] == list(map(source_id, SOURCES))


def test_a_shard_is_by_the_digest_of_the_id():
    """The first 8 bytes of the SHA-256 of ``d0``, modulo 7, by ``printf d0 | sha256sum``."""
    assert Shard(4, 7).holds("d0")
    assert not Shard(5, 7).holds("d0")


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3"])
def test_what_is_not_a_shard_is_refused(text):
    with pytest.raises(BadParameter, match="shard"):
        Shard.parsed(text)


def test_a_shard_is_read_from_text():
    assert Shard.parsed(" 2 / 8 ") == Shard(2, 8)


def test_what_is_done_is_left_out_under_its_own_id():
    twice = (Document("a", "x"), Document("b", "x"), Document("a", "y"), Document("a", "z"))
    assert [each.text for each in select_remaining(twice, None, {"a", "b"})] == ["y", "z"]
    assert [each.text for each in select_remaining(twice, None, {"a", "a#2"})] == ["x", "z"]
    assert [each.text for each in select_remaining(twice, None, {"a", "b"})] == ["y", "z"]
    numbering = DistinctIds({"a", "a#2"})
    assert numbering(Prediction("a", ())).document_id == "a#3"
    assert numbering(Failure("b", "c", "m")).document_id == "b"
