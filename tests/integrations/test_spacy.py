"""The spaCy component in real pipelines: by name, in processes, through bytes and disk, and by spaCy's own checks."""

import importlib.metadata
import json

import pytest
from tests.integrations.hosts import TEXTS, host

from keywright.core.errors import BadParameter

spacy = host("spacy")
TOP = 3


@pytest.fixture(scope="module")
def nlp():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("keywright", config={"top": TOP})
    return pipeline


def mentions(doc):
    return [[doc.text[start:end] for start, end in each["spans"]] for each in doc._.keyphrases]


def test_an_entry_point_names_the_component():
    """The other tests add it by its name and import nothing of keywright that would register it."""
    (entry,) = importlib.metadata.entry_points(group="spacy_factories", name="keywright")
    assert entry.value == "keywright.integrations.spacy:make_component"


def test_keyphrases_are_plain_data_with_spans_in_the_text(nlp):
    doc = nlp(TEXTS[2])
    first = doc._.keyphrases[0]
    assert set(first) == {"text", "score", "probability", "present", "spans"}
    # by hand: "storm water" is at 18 and after "...needs sand.\r\nSand lets " at 69
    storm = next(each for each in doc._.keyphrases if each["text"] == "storm water")
    assert storm["spans"] == [[18, 29], [68, 79]]
    assert {mention.lower().rstrip("s") for places in mentions(doc) for mention in places} >= {
        "storm water",
        "rain garden",
    }
    assert len(doc._.keyphrases) <= TOP


def test_mentions_are_a_group_of_spans(nlp):
    doc = nlp(TEXTS[2])
    texts = [span.text for span in doc.spans["keyphrases"]]
    assert texts.count("storm water") == 2
    assert {span.label_ for span in doc.spans["keyphrases"]} == {"KEYPHRASE"}
    assert [span.start for span in doc.spans["keyphrases"]] == sorted(span.start for span in doc.spans["keyphrases"])


def test_a_document_without_words_has_no_keyphrases_and_the_reason(nlp):
    docs = list(nlp.pipe(TEXTS))
    assert [bool(doc._.keyphrases) for doc in docs] == [True, False, True]
    assert "no words" in docs[1]._.keyphrase_warnings[0]
    assert list(docs[1].spans["keyphrases"]) == []


def test_documents_survive_bytes_and_disk(nlp, tmp_path):
    from spacy.tests.util import assert_docs_equal  # noqa: PLC0415
    from spacy.tokens import Doc  # noqa: PLC0415

    doc = nlp(TEXTS[0])
    doc.to_disk(tmp_path / "doc")
    for copy in (Doc(nlp.vocab).from_bytes(doc.to_bytes()), Doc(nlp.vocab).from_disk(tmp_path / "doc")):
        assert_docs_equal(copy, doc)
        assert copy._.keyphrases == doc._.keyphrases
        assert copy._.keyphrase_warnings == doc._.keyphrase_warnings
        assert [span.text for span in copy.spans["keyphrases"]] == [span.text for span in doc.spans["keyphrases"]]


def test_documents_survive_a_doc_bin(nlp):
    """A ``DocBin`` reads every sequence as a tuple; as JSON both are lists."""
    from spacy.tokens import DocBin  # noqa: PLC0415

    docs = list(nlp.pipe(TEXTS))
    stored = DocBin(store_user_data=True, docs=docs).to_bytes()
    copies = list(DocBin(store_user_data=True).from_bytes(stored).get_docs(nlp.vocab))
    assert [json.dumps(copy._.keyphrases) for copy in copies] == [json.dumps(doc._.keyphrases) for doc in docs]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of Python 3.12, which spaCy's processes cause
def test_processes_give_the_same_documents(nlp):
    several = list(nlp.pipe(TEXTS, n_process=2, batch_size=1))
    assert [doc._.keyphrases for doc in several] == [doc._.keyphrases for doc in nlp.pipe(TEXTS)]


def test_pipelines_survive_disk_and_bytes(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    from_disk = spacy.load(tmp_path / "pipeline")
    assert from_disk.get_pipe_config("keywright") == nlp.get_pipe_config("keywright")
    from_bytes = spacy.blank("en")
    from_bytes.add_pipe("keywright", config={"top": TOP})
    from_bytes.from_bytes(nlp.to_bytes())
    for pipeline in (from_disk, from_bytes):
        assert pipeline(TEXTS[0])._.keyphrases == nlp(TEXTS[0])._.keyphrases


def test_spacy_analyses_the_pipeline_without_problems(nlp):
    analysis = nlp.analyze_pipes()
    assert analysis["problems"] == {"keywright": []}
    assert set(analysis["summary"]["keywright"]["assigns"]) == {
        "doc._.keyphrases",
        "doc._.keyphrase_warnings",
        "doc.spans",
    }


def test_settings_are_those_of_extract():
    pipeline = spacy.blank("en")
    settings = {"system": "kpminer", "top": 5, "options": {"min_words": 4}, "spans_key": None}
    pipeline.add_pipe("keywright", name="phrases", config=settings)
    doc = pipeline(TEXTS[0] * 3)
    assert [each["text"] for each in doc._.keyphrases] == ["grid scheduler assigns jobs"]
    assert not doc.spans


@pytest.mark.parametrize(
    "settings", [{"style": "poet"}, {"min_probability": 7.0}, {"options": {"longest": 3}}], ids=str
)
def test_invalid_values_are_refused_when_the_component_is_added(settings):
    with pytest.raises(BadParameter):
        spacy.blank("en").add_pipe("keywright", config=settings)


@pytest.mark.parametrize("settings", [{"top": "many"}, {"tops": 3}], ids=str)
def test_spacy_refuses_settings_of_another_type_or_name(settings):
    from confection import ConfigValidationError  # noqa: PLC0415 - part of spaCy

    with pytest.raises(ConfigValidationError):
        spacy.blank("en").add_pipe("keywright", config=settings)


def test_the_language_is_the_pipeline_s_unless_it_has_several():
    text = "Die Netze der Sensoren messen Wasser. Das Wasser der Netze wird gemessen, und die Sensoren senden Daten."
    for code, expected in [("de", "de"), ("xx", "de"), ("en", "en")]:
        pipeline = spacy.blank(code)
        component = pipeline.add_pipe("keywright", config={"system": "kpminer"})
        assert component.extractor.of(text).language == expected
