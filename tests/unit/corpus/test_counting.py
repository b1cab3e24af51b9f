"""Counting over a collection: by hand, and the same whatever the memory."""

import importlib.util
import itertools
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.extraction.corpus.counts import count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

ROOT = Path(__file__).parents[3]
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
        (tmp_path / source).write_bytes(zstandard.compress(lines.encode()))
    first, second = (count_documents(build.keys_of_documents(tmp_path), least=build.LEAST["en"]) for _ in range(2))
    assert first.fingerprint == second.fingerprint
    assert first.documents == 12
    # "grid" stands in the titles and abstracts of all, "fast grids" in the abstracts; "grid 1" in too few
    asked = np.array([phrase_key(phrase) for phrase in ("grid", "fast grid", "source", "grid 1")], np.uint64)
    assert first.of(asked).tolist() == [12, 12, 12, 0]


@pytest.mark.long
@pytest.mark.data
def test_the_french_background_is_made_again(mirror):
    made = count_documents(tool().keys_of_documents(mirror, "fr"), least=5)
    assert made.fingerprint == background("fr").fingerprint
    assert made.documents == background("fr").documents == 14_602


@pytest.mark.data
def test_the_background_holds_what_a_part_of_its_sources_holds(mirror):
    """Building it all takes minutes; but no phrase of a part may be rarer in the whole."""
    part = count_documents(
        itertools.islice(tool().keys_of_documents(mirror), 2000), least=background().card["least_documents"]
    )
    assert len(part) > 1000
    rarer = background().of(part.keys) < part.counts
    assert int(rarer.sum()) == 0
