"""Texts of other libraries: offsets into the text as it was passed, one outcome for each, clear errors."""

import pickle
import sys

import pytest
from tests.integrations.hosts import TEXTS

import keywright as kw
from keywright.core.errors import BadParameter, MissingExtra
from keywright.core.predictions import Failure
from keywright.integrations.texts import TextExtractor, list_keyphrases, list_warnings, needs_package, warn_of_failures


@pytest.fixture(scope="module")
def extractor():
    return TextExtractor("kpminer", top=2)


@pytest.mark.parametrize("text", ["one two\r\n", "\ufeff", "\ufeff\r\n \r", "\r\r\n"])
def test_spans_are_offsets_into_the_text_as_it_was_passed(extractor, text):
    """Each sentence is preceded by what a document changes; the mentions are written the same everywhere."""
    outcome = extractor.of(f"{text}storm water. storm water\r\nis storm water.")
    spans = dict(zip(outcome.texts, outcome.keyphrases, strict=True))["storm water"].spans
    begin = len(text)
    # "storm water. " has 13 characters, "storm water\r\nis " 16
    assert spans == ((begin, begin + 11), (begin + 13, begin + 24), (begin + 29, begin + 40))


def test_texts_have_the_keyphrases_of_the_verb(extractor):
    outcomes = [extractor.of(text) for text in TEXTS]
    assert outcomes[0].texts == kw.extract(TEXTS[0], "kpminer", top=2).texts
    assert outcomes[2].texts == kw.extract(TEXTS[2], "kpminer", top=2).texts


@pytest.mark.parametrize(
    ("text", "message"), [("", "no words"), (None, "None"), (float("nan"), "nan"), (b"a", "bytes")]
)
def test_a_text_that_fails_costs_that_text_only(extractor, text, message):
    good, bad, last = extractor.each([("a", TEXTS[0]), ("b", text), ("c", TEXTS[0])])
    assert isinstance(bad, Failure)
    assert (bad.document_id, message in bad.message) == ("b", True)
    assert list_keyphrases(bad) == []
    assert len(list_warnings(bad)) == 1
    assert good.texts == last.texts


def test_one_warning_for_all_failures(extractor):
    with pytest.warns(UserWarning, match=r"^2 of 3 texts .* b holds no words; c is missing: .*$"):
        warn_of_failures(list(extractor.each([("a", TEXTS[0]), ("b", ""), ("c", None)])))


def test_an_extractor_pickles_as_its_settings(extractor):
    pickled = pickle.dumps(TextExtractor(top=2))
    assert len(pickled) < 2_000  # the default system has millions of bytes
    assert pickle.loads(pickle.dumps(extractor)).of(TEXTS[0]) == extractor.of(TEXTS[0])


def test_the_pickle_of_another_system_differs():
    pickles = {pickle.dumps(TextExtractor(kw.system("kpminer", cutoff=cutoff))) for cutoff in (400, 850, 400)}
    assert len(pickles) == 2


def test_invalid_options_are_refused_at_once():
    with pytest.raises(BadParameter, match="min_probability 3"):
        TextExtractor(min_probability=3)
    with pytest.raises(BadParameter, match="no option 'tops'"):
        TextExtractor(tops=3)


def test_a_library_that_is_not_installed_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "langchain_core", None)  # as if not installed
    with pytest.raises(MissingExtra, match="langchain-core") as caught, needs_package("langchain-core"):
        import langchain_core  # noqa: F401, PLC0415
    assert caught.value.hint == "pip install langchain-core"
