"""EmbedRank beside KeyBERT's answers for this project's own texts, both with the same encoder.

``references/keybert.json`` holds the answers and how they were come by; ``tools/references/make_keybert_references.py``
makes it. KeyBERT's n-grams run across stop words and signs, ours do not, so the phrases that both have are compared.
"""

import json
from pathlib import Path

import pytest

from keywright.core.documents import AnalysedDocument, Document
from keywright.extraction.systems.embedrank import EmbedRank, KeyBERT
from keywright.text.encoders import MiniLM
from keywright.text.keys import phrase_key
from keywright.text.languages import ByLanguage

REFERENCES = json.loads((Path(__file__).parent / "references" / "keybert.json").read_text("utf-8"))
TEXTS = REFERENCES["texts"]


def analysed(name: str) -> AnalysedDocument:
    return ByLanguage("en").analyse(Document(name, TEXTS[name]))


def test_the_encoder_is_the_one_that_keybert_was_given():
    assert MiniLM().fingerprint == REFERENCES["encoder"]
    assert len(TEXTS) >= 3


@pytest.mark.parametrize("name", TEXTS)
def test_similarities(name):
    """KeyBERT rounds to four digits, so phrases nearer to each other than that may stand in either order."""
    theirs = dict(REFERENCES["similarity"][name])
    ours = {one.text.lower(): one.score for one in EmbedRank().extract(analysed(name)).prediction().keyphrases}
    both = [phrase for phrase in ours if phrase in theirs]
    assert len(both) > 0.9 * len(ours)
    assert [theirs[phrase] for phrase in both] == pytest.approx([ours[phrase] for phrase in both], abs=6e-5)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("diversity", REFERENCES["relevance"])
def test_order_of_choice_by_marginal_relevance(name, diversity):
    theirs = REFERENCES["relevance"][diversity][name]
    system = EmbedRank(diversity=float(diversity), standardised=False)
    assert [one.text for one in system.extract(analysed(name)).prediction(len(theirs)).keyphrases] == theirs


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("number", range(len(REFERENCES["settings"])))
def test_lists_where_the_settings_are_equal(name, number):
    """KeyBERT rounds to four digits, sorts by similarity again, and lists inflections of a phrase apart."""
    setting, theirs = dict(REFERENCES["settings"][number]), dict(REFERENCES["lists"][number][name])
    setting["seeds"] = tuple(setting.get("seeds", ()))
    ours = {each.text: each.score for each in KeyBERT(**setting).extract(analysed(name)).keyphrases(len(theirs))}
    listed, keys = {phrase_key(phrase) for phrase in ours}, {phrase_key(phrase) for phrase in theirs}
    if "diversity" in setting:  # one more of ours is shown for each pair of inflections
        assert keys <= listed
        assert len(listed - keys) == len(theirs) - len(keys)
    else:
        for phrase in ours.keys() & theirs.keys():
            assert ours[phrase] == pytest.approx(theirs[phrase], abs=6e-5)
        last = min(theirs.values()) + 1e-4  # phrases with the last score may be cut differently
        assert {phrase_key(phrase) for phrase, score in ours.items() if score > last} <= keys
        assert {phrase_key(phrase) for phrase, score in theirs.items() if score > last} <= listed
