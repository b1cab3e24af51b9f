"""Tables of counts by key: look-up, the file on disk, and files that are broken.

Two collections as one.

A table less what some documents brought, by hand.

Counting over a collection: by hand, and the same whatever the memory.
"""

import importlib.util
import itertools
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.core.errors import BrokenFile, MissingData
from keywright.core.zstandard import zstd
from keywright.extraction.corpus.counts import PhraseCounts, add_counts, count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key
from studies.training_data.author_lists import subtract_counts

MAGIC = b"keywright phrase counts 1\n"
LARGEST = 2**64 - 1


def keys(*numbers: int):
    return np.array(numbers, np.uint64)


@pytest.fixture
def table() -> PhraseCounts:
    return PhraseCounts(keys(3, 7, LARGEST), np.array([2, 5, 1]), 9, {"name": "tiny", "licence": "CC0-1.0"})


@pytest.fixture
def saved(table, tmp_path):
    path = tmp_path / "tiny.counts"
    table.save(path)
    return path


def test_counts_of_known_and_unknown_phrases(table):
    assert table.of(keys(7, 0, 3, 4, LARGEST, LARGEST - 1, 7)).tolist() == [5, 0, 2, 0, 1, 0, 5]
    assert table.of(keys()).shape == (0,)
    assert len(table) == 3


def test_an_empty_table_knows_nothing(tmp_path):
    empty = PhraseCounts(keys(), np.zeros(0, np.uint32), 0)
    assert empty.of(keys(0, 3)).tolist() == [0, 0]
    empty.save(tmp_path / "empty.counts")
    loaded = PhraseCounts.load(tmp_path / "empty.counts")
    assert (len(loaded), loaded.documents, loaded.of(keys(1)).tolist()) == (0, 0, [0])


def test_a_saved_table_comes_back_mapped_into_memory(table, saved):
    loaded = PhraseCounts.load(saved)
    assert isinstance(loaded.keys.base, np.memmap)
    assert isinstance(loaded.counts.base, np.memmap)
    assert (loaded.keys.tolist(), loaded.counts.tolist(), loaded.documents) == ([3, 7, LARGEST], [2, 5, 1], 9)
    assert (loaded.card["name"], loaded.card["licence"]) == ("tiny", "CC0-1.0")
    assert (loaded.card["documents"], loaded.card["phrases"]) == (9, 3)
    assert loaded.of(keys(7, 8)).tolist() == [5, 0]
    assert loaded.fingerprint == table.fingerprint


def test_the_file_is_laid_out_as_described(saved):
    content = saved.read_bytes()
    assert content.startswith(MAGIC)
    size = int(content[len(MAGIC) :].split(b"\n")[0])
    start = len(MAGIC) + len(str(size)) + 1
    assert json.loads(content[start : start + size])["phrases"] == 3
    assert len(content) % 64 == 36  # three entries of eight and four bytes
    assert np.frombuffer(content[-36:-12], "<u8").tolist() == [3, 7, LARGEST]
    assert np.frombuffer(content[-12:], "<u4").tolist() == [2, 5, 1]


def test_the_same_table_gives_the_same_file(saved, tmp_path):
    PhraseCounts.load(saved).save(tmp_path / "again.counts")
    assert (tmp_path / "again.counts").read_bytes() == saved.read_bytes()


def test_a_fingerprint_names_the_content():
    # sha256 of the keys, little-endian 64-bit, and the counts, 32-bit: made with printf and sha256sum
    assert PhraseCounts(keys(1), np.array([1]), 1).fingerprint == "d05796eb"
    prints = {
        PhraseCounts(keys(*known), np.array(counts, kind), 9).fingerprint
        for known, counts, kind in (((3,), [2], int), ((3,), [2], np.uint32), ((4,), [2], int), ((3,), [3], int))
    }
    assert len(prints) == 3


def test_no_file_is_missing_data(tmp_path):
    with pytest.raises(MissingData, match=r"tiny\.counts"):
        PhraseCounts.load(tmp_path / "tiny.counts")
    with pytest.raises(MissingData):
        PhraseCounts.load(tmp_path)


def head(card: bytes, size: int | None = None) -> bytes:
    return MAGIC + f"{len(card) if size is None else size}\n".encode() + card


BROKEN = {
    "empty": b"",
    "other format": b"PK\x03\x04" + b"\x00" * 100,
    "later version": MAGIC.replace(b"1", b"2") + b"2\n{}",
    "no length": MAGIC,
    "length is no number": MAGIC + b"many\n{}",
    "length beyond the end": head(b'{"phrases": 0, "documents": 0}', 10**9),
    "length negative": head(b'{"phrases": 0, "documents": 0}', -1)[:-1],
    "card is no JSON": head(b"\xff\xfe nothing"),
    "card is a list": head(b"[1, 2]"),
    "card is text": head(b'"phrases"'),
    "card without numbers": head(b'{"name": "tiny"}'),
    "numbers are words": head(b'{"phrases": "three", "documents": 9}'),
    "numbers are null": head(b'{"phrases": null, "documents": 9}'),
    "entries missing": head(b'{"phrases": 3, "documents": 9}'),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_broken_files_are_told(content, tmp_path):
    path = tmp_path / "broken.counts"
    path.write_bytes(content)
    with pytest.raises(BrokenFile, match=r"broken\.counts"):
        PhraseCounts.load(path)


@pytest.mark.parametrize("cut", [1, 12, 36, 60, 200])
def test_cut_and_lengthened_files_are_told(cut, saved):
    content = saved.read_bytes()
    for other in (content[:-cut], content + b"\x00" * cut):
        saved.write_bytes(other)
        with pytest.raises(BrokenFile, match=r"tiny\.counts"):
            PhraseCounts.load(saved)


def test_a_number_below_nought_is_told_even_where_the_size_agrees(tmp_path):
    content = head(b'{"phrases": -1, "documents": 9, "name": "tiny"}')
    path = tmp_path / "broken.counts"
    path.write_bytes(content + b" " * (128 - 12 - len(content)))
    with pytest.raises(BrokenFile, match=r"broken\.counts"):
        PhraseCounts.load(path)


def test_a_lexicon_adds_up_counts_of_equal_keys():
    lexicon = PhraseCounts.of_phrases([(9, 2), (LARGEST, 1), (9, 3), (4, 1)], 12, name="lexicon")
    assert lexicon.keys.tolist() == [4, 9, LARGEST]
    assert lexicon.counts.tolist() == [1, 5, 1]
    assert (lexicon.documents, lexicon.card["name"]) == (12, "lexicon")
    assert len(PhraseCounts.of_phrases([], 0)) == 0


@given(st.dictionaries(st.integers(0, LARGEST), st.integers(1, 2**32 - 1), max_size=20), st.lists(st.integers(0, 9)))
def test_a_table_agrees_with_a_dictionary(known, asked):
    lexicon = PhraseCounts.of_phrases(known.items(), 5)
    asked = [*known, *asked]
    assert lexicon.of(keys(*asked)).tolist() == [known.get(key, 0) for key in asked]


def test_the_background_knows_common_phrases_of_papers():
    table = background()
    counts = table.of(
        np.array(
            [phrase_key(p) for p in ("learning", "neural network", "quasifrobnication", "network neural")], np.uint64
        )
    )
    assert counts[0] > 5_000
    assert counts[1] > 1_000
    assert counts[2:].tolist() == [0, 0]
    assert table.documents > 100_000
    assert np.all(table.counts <= table.documents)
    assert np.all(np.asarray(table.keys[1:]) > np.asarray(table.keys[:-1]))


def test_the_background_says_where_it_comes_from():
    card = background().card
    assert card["sources"]
    assert card["licence"]
    assert card["made_by"] == "tools/build_background.py"
    assert background() is background()


def test_the_background_is_what_its_card_says():
    table = background()
    again = PhraseCounts(table.keys, table.counts, table.documents)
    assert again.fingerprint == table.fingerprint == table.card["sha256"][:8]
    assert int(table.counts.min()) >= table.card["least_documents"]
    assert sys.byteorder == "little" or table.keys.dtype.byteorder == "<"


def table_of_add_counts(counts: dict[int, int], documents: int) -> PhraseCounts:
    return PhraseCounts.of_phrases(sorted(counts.items()), documents)


def test_counts_and_documents_are_added():
    both = add_counts(table_of_add_counts({2: 5, 7: 1}, 10), table_of_add_counts({7: 2, 9: 3}, 4))
    assert dict(zip(both.keys.tolist(), both.counts.tolist(), strict=True)) == {2: 5, 7: 3, 9: 3}
    assert both.documents == 14
    assert both.fingerprint != table_of_add_counts({2: 5, 7: 1}, 10).fingerprint


def test_nothing_added():
    one = table_of_add_counts({2: 5}, 10)
    same = add_counts(one, table_of_add_counts({}, 0))
    assert (same.keys.tolist(), same.counts.tolist(), same.documents) == ([2], [5], 10)
    assert same.of(np.array([2, 3], np.uint64)).tolist() == [5, 0]


TABLE = PhraseCounts(np.array([1, 2, 3], np.uint64), np.array([5, 2, 1], np.uint32), 9)


def test_each_entry_is_taken_out_as_often_as_it_is_there():
    assert subtract_counts(TABLE, [keys(1, 2), keys(1, 7)]).counts.tolist() == [3, 1, 1]


def test_nothing_goes_below_none():
    assert subtract_counts(TABLE, [keys(3), keys(3)]).counts.tolist() == [5, 2, 0]


def test_what_is_left_too_few_times_goes():
    assert subtract_counts(TABLE, [keys(2)], least=2).counts.tolist() == [5, 0, 0]


def test_nothing_taken_out_leaves_all():
    left = subtract_counts(TABLE, [])
    assert (left.counts.tolist(), left.documents) == ([5, 2, 1], 9)


ROOT = Path(__file__).parents[4]
KEYS = st.lists(st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1)), max_size=8), max_size=12)


def documents(lists):
    return (np.array(numbers, np.uint64) for numbers in lists)


def test_a_phrase_counts_once_a_document():
    table = count_documents(documents([[5, 9, 5], [9], [], [2**64 - 1, 9]]), name="tiny")
    assert table.keys.tolist() == [5, 9, 2**64 - 1]
    assert table.counts.tolist() == [1, 3, 1]
    assert (table.documents, dict(table.card)) == (4, {"name": "tiny"})


def test_rare_phrases_can_be_left_out():
    table = count_documents(documents([[5, 9], [9, 7], [9, 7]]), least=2)
    assert (table.keys.tolist(), table.counts.tolist(), table.documents) == ([7, 9], [2, 3], 3)


@pytest.mark.parametrize("lists", [[], [[]], [[], []]])
def test_no_phrase_gives_an_empty_table(lists):
    table = count_documents(documents(lists))
    assert (len(table), table.documents) == (0, len(lists))


@settings(max_examples=40)
@given(KEYS, st.integers(1, 12), st.integers(1, 3))
def test_memory_does_not_change_the_table(lists, buffer, least):
    table = count_documents(documents(lists), least=least, buffer=buffer)
    assert equal(table, count_documents(documents(lists), least=least))
    counted = Counter(key for numbers in lists for key in set(numbers))
    expected = {key: count for key, count in counted.items() if count >= least}
    assert dict(zip(table.keys.tolist(), table.counts.tolist(), strict=True)) == expected
    assert table.keys.tolist() == sorted(expected)


def test_mentions_add_up_over_documents():
    pairs = [([5, 3], [2, 1]), ([3, 9], [4, 0]), ([], [])]
    table = count_mentions(((np.array(keys, np.uint64), np.array(times, int)) for keys, times in pairs), name="a")
    assert (table.keys.tolist(), table.counts.tolist()) == ([3, 5], [5, 2])
    assert (table.documents, table.card) == (3, {"name": "a"})
    assert len(count_mentions([])) == 0


def tool():
    spec = importlib.util.spec_from_file_location("build_background", ROOT / "tools" / "train" / "build_background.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tool_that_builds_the_background_gives_the_same_table_twice(tmp_path):
    build = tool()
    for number, source in enumerate(build.SOURCES["en"]):
        records = [{"title": f"Grid {at}", "abstract": f"Fast grids of source {number}."} for at in range(6)]
        (tmp_path / source).parent.mkdir(exist_ok=True)
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (tmp_path / source).write_bytes(zstd.compress(lines.encode()))
    first, second = (count_documents(build.keys_of_documents(tmp_path), least=build.LEAST["en"]) for _ in range(2))
    assert first.fingerprint == second.fingerprint
    assert first.documents == 12
    # "grid" stands in the titles and abstracts of all, "fast grids" in the abstracts; "grid 1" in too few
    asked = np.array([phrase_key(phrase) for phrase in ("grid", "fast grid", "source", "grid 1")], np.uint64)
    assert first.of(asked).tolist() == [12, 12, 12, 0]


@pytest.mark.data
@pytest.mark.parametrize(("language", "documents"), [("en", None), ("fr", 14_602)])
def test_the_background_holds_what_a_part_of_its_sources_holds(mirror, language, documents):
    """Building it all takes minutes; but no phrase of a part may be rarer in the whole."""
    whole = background(language)
    assert documents in {None, whole.documents}
    part = count_documents(
        itertools.islice(tool().keys_of_documents(mirror, language), 1000), least=whole.card["least_documents"]
    )
    assert len(part) > 1000
    rarer = whole.of(part.keys) < part.counts
    assert int(rarer.sum()) == 0
