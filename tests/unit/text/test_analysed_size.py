"""How small an analysed paper is."""

import pickle
from dataclasses import replace

import pytest

from keywright.core.documents import Document
from keywright.datasets.collection import load
from keywright.testing.promises import equal
from keywright.text.analyser import TextAnalyser


@pytest.mark.data
def test_an_analysed_paper_is_small(mirror):
    """A paper of 8,000 tokens pickles to about 190 kB beside its text: 18 bytes a token and what its words need."""
    analyser = TextAnalyser()
    analysed = next(
        one
        for one in (analyser.analyse(labelled.document) for labelled in load("semeval2010/train", mirror))
        if 7_500 < len(one) < 8_500
    )
    packed = pickle.dumps(analysed)
    columns = len(pickle.dumps(replace(analysed, source=Document("a", ""))))
    assert columns < 26 * len(analysed)
    assert len(packed) - columns < 1.05 * len(analysed.source.text.encode())
    assert equal(pickle.loads(packed), analysed)
