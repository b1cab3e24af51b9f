"""The default gives a document one answer: alone, in a batch, over processes, and after saving and loading."""

import sys

import pytest

from keywright import api
from keywright.core.documents import Document
from keywright.core.saving import load_system, save_system
from keywright.core.signatures import signature
from keywright.extraction.systems.default import Default
from keywright.testing.promises import ARTICLE, LABELLED, NOTE, UNUSUAL, equal
from keywright.text.languages import ByLanguage

LONG = Document("long", "\n\n".join([ARTICLE.text] * 6), language="en")
DOCUMENTS = (ARTICLE, NOTE, *UNUSUAL, LONG)


def answers(extraction, jobs=None):
    return list(api.extract_each(extraction, DOCUMENTS, "processes" if jobs else "serial", jobs))


@pytest.fixture(scope="module", params=["reader", "author", "indexer"])
def extraction(request):
    return api.prepare(Default(style=request.param), 20, explain=True)


@pytest.fixture(scope="module")
def serial(extraction):
    return answers(extraction)


def test_alone_as_in_a_batch(extraction, serial):
    for document, expected in zip(DOCUMENTS, serial, strict=True):
        assert equal(extraction.prediction(document), expected), document.id
    backwards = [extraction.prediction(document) for document in reversed(DOCUMENTS)]
    assert equal(tuple(backwards[::-1]), tuple(serial))
    assert serial[0].keyphrases
    assert serial[0].keyphrases[0].probability is not None


@pytest.mark.parametrize("extraction", ["author"], indirect=True)  # a style is a parameter, and travels as any
def test_over_processes(extraction, serial):
    assert equal(tuple(answers(extraction, 2)), tuple(serial))


def test_a_trained_one_saved_and_loaded_where_nothing_can_be_trained(tmp_path, monkeypatch):
    analyser = ByLanguage()
    trained = Default().fit([type(one)(analyser.analyse(one.document), one.gold) for one in LABELLED])
    save_system(trained, tmp_path / "mine", {})
    expected = answers(api.prepare(trained, 20, explain=True))
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    loaded = load_system(tmp_path / "mine")
    assert signature(loaded) == signature(trained)
    found = answers(api.prepare(loaded, 20, explain=True))
    assert equal(tuple(found), tuple(expected))
    untrained = answers(api.prepare("default", 20, explain=True))
    assert not equal(found[0], untrained[0])
