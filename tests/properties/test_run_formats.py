"""A run written in any format and read again gives the same lists."""

import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.evaluation.run_formats.run_writers import WRITERS

from keywright.core.predictions import Run
from keywright.evaluation.run_formats.pairing import match_ids
from keywright.evaluation.run_formats.reading import read_run_file

LETTERS = string.ascii_letters + string.digits + "-.'éß数λ"
WORDS = st.text(LETTERS, min_size=1, max_size=8).filter(lambda word: word != "Q0")
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
IDS = st.text(string.ascii_letters + string.digits + "-", min_size=1, max_size=8).filter(lambda name: name != "Q0")
RANKED = st.lists(PHRASES, min_size=1, max_size=6, unique=True).map(tuple)
LISTS = st.dictionaries(IDS, RANKED, min_size=1, max_size=5)


@pytest.mark.parametrize("form", WRITERS)
@given(lists=LISTS)
@settings(max_examples=40)
def test_what_is_written_is_read(form, lists):
    if form in {"res", "key"}:  # some file systems do not tell A from a
        lists = {name.lower(): given for name, given in lists.items()}
    with tempfile.TemporaryDirectory() as folder:
        found = match_ids(read_run_file(WRITERS[form](lists, Path(folder) / "RUN"), form), list(lists), "RUN", "G")
    if isinstance(found.predictions, Run):
        again = {one.document_id: one.texts for one in found.predictions.predictions}
    else:
        again = found.predictions.lists
    assert again == lists
