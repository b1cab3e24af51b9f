"""The Haystack component: in a pipeline, through Haystack's serialisation, and with documents that fail.

``haystack.testing`` has tests for document stores alone; a pipeline itself checks types, settings and serialisation.
"""

import pytest
from tests.integrations.hosts import TEXTS, host

import keywright as kw
from keywright.core.errors import BadParameter

haystack = host("haystack")

from haystack import Document, Pipeline  # noqa: E402
from haystack.core.errors import DeserializationError  # noqa: E402

from keywright.integrations.haystack import KeyphraseExtractor  # noqa: E402


def documents():
    return [Document(content=text, meta={"number": number}) for number, text in enumerate([*TEXTS, None])]


def pipeline(extractor):
    with_extractor = Pipeline()
    with_extractor.add_component("keyphrases", extractor)
    return with_extractor


def run(through, inputs):
    return through.run({"keyphrases": {"documents": inputs}})["keyphrases"]["documents"]


def test_a_pipeline_returns_copies_with_keyphrases():
    inputs = documents()
    copies = run(pipeline(KeyphraseExtractor(top=2)), inputs)
    assert copies[0].meta == {"number": 0, "keyphrases": list(kw.extract(TEXTS[0], top=2).texts)}
    assert [(copy.id, copy.content) for copy in copies] == [(each.id, each.content) for each in inputs]
    assert [each.meta for each in inputs] == [{"number": number} for number in range(4)]


def test_documents_that_fail_have_an_error():
    copies = run(pipeline(KeyphraseExtractor(top=2)), documents())
    assert [bool(copy.meta["keyphrases"]) for copy in copies] == [True, False, True, False]
    assert "holds no words" in copies[1].meta["keyphrases_error"]
    assert "is missing" in copies[3].meta["keyphrases_error"]


def test_details_survive_haystack_s_own_dictionaries():
    copy = run(pipeline(KeyphraseExtractor(details=True, into="phrases", top=2)), documents())[0]
    assert set(copy.meta["phrases"][0]) == {"text", "score", "probability", "present", "spans"}
    assert Document.from_dict(copy.to_dict()) == copy


def test_a_pipeline_is_the_same_after_it_was_written():
    original = pipeline(KeyphraseExtractor(top=2, system="kpminer", options={"min_words": 2}))
    text = original.dumps()
    loaded = Pipeline.loads(text, allowed_modules=["keywright.*"])
    assert loaded.to_dict() == original.to_dict()
    assert run(loaded, documents()) == run(original, documents())


def test_haystack_loads_it_only_if_the_module_is_allowed():
    """The reason why the documentation names ``allowed_modules``."""
    with pytest.raises(DeserializationError, match="keywright"):
        Pipeline.loads(pipeline(KeyphraseExtractor()).dumps())


def test_dictionaries_hold_every_setting():
    settings = {
        "into": "k",
        "details": True,
        "system": "kpminer",
        "top": 3,
        "language": "en",
        "options": {"min_words": 2},
    }
    data = KeyphraseExtractor(**settings).to_dict()
    assert data == {"type": "keywright.integrations.haystack.KeyphraseExtractor", "init_parameters": settings}
    assert KeyphraseExtractor.from_dict(data).to_dict() == data


def test_invalid_settings_are_refused_before_the_first_document():
    with pytest.raises(BadParameter, match="min_probability"):
        KeyphraseExtractor(options={"min_probability": 3}).warm_up()


def test_no_documents_give_none():
    assert KeyphraseExtractor().run([]) == {"documents": []}
