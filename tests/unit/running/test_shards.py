"""Parts of a command's input."""

from pathlib import Path

import pytest

from keywright.core.compact_ids import IdSet
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.predictions import Failure, Prediction
from keywright.reading.sources import Unread
from keywright.running.file_extraction import DistinctIds, Shard, select_remaining, source_id

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
    assert [each.text for each in select_remaining(twice, None, IdSet({"a", "b"}))] == ["y", "z"]
    numbering = DistinctIds({"a", "a#2"})
    assert numbering(Prediction("a", ())).document_id == "a#3"
    assert numbering(Failure("b", "c", "m")).document_id == "b"
