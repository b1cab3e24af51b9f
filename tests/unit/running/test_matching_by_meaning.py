"""Vocabularies matched by meaning, with an encoder of a few words whose cosines are known by hand."""

import json

import numpy as np
import pytest

import keywright as kw
from keywright.api.options import phrase_filter_of
from keywright.core.errors import BadParameter, BrokenFile
from keywright.core.keyphrases import Keyphrase
from keywright.extraction.vocabularies.index import MOST_UNSAVED, LabelMeanings, VocabularyIndex
from keywright.extraction.vocabularies.label_keys import LabelKeys

VECTORS = {
    "carbon dioxide": (1.0, 0.0, 0.0),
    "greenhouse gas": (0.6, 0.8, 0.0),
    "tide gauge": (0.0, 0.0, 1.0),
    "co2": (0.96, 0.28, 0.0),
    "dioxyde de carbone": (0.99, 0.14, 0.0),
    "jauge": (0.0, 0.14, 0.99),
    "marégraphe": (0.0, 0.1, 0.99),
}
TEXT = "CO2 rises. Measured CO2 and the tide gauge. CO2 is measured by marégraphe readings."


def encode(texts):
    return np.array([VECTORS.get(text.lower(), (-0.5, -0.6, -0.6)) for text in texts])


def make_index(labels=("carbon dioxide", "greenhouse gas", "tide gauge")):
    index = VocabularyIndex.of(labels)
    index.meanings.append(index.encode_labels(encode))
    return index


def extract(match: str, **options: bool):
    index = make_index()
    return kw.extract(
        TEXT,
        system=lambda _: ["CO2", "tide gauge", "marégraphe", "readings"],
        language="en",
        vocabulary=index,
        match=match,
        **options,
    )


def test_the_threshold_is_the_cosine_of_labels_of_other_concepts():
    # The nearest others are at .96, .96 and 0, whose median is .96.
    assert make_index(("carbon dioxide", "CO2", "tide gauge")).label_meanings().threshold == pytest.approx(
        0.96, abs=1e-3
    )
    # Both are labels of one concept, and there is no other: what is left is the least threshold.
    assert LabelMeanings.of(("carbon dioxide", "CO2"), np.array([0, 0]), encode).threshold == 0.65


def test_labels_alone_do_not_meet_other_words():
    assert extract("label", only_vocabulary=True).texts == ("tide gauge",)


def test_phrases_meet_labels_in_meaning_with_the_reason():
    prediction = extract("both", only_vocabulary=True)
    assert prediction.texts == ("carbon dioxide", "tide gauge")
    carbon, gauge = (keyphrase.to_dict() for keyphrase in prediction)
    assert carbon["match"] == {"by": "meaning", "similarity": pytest.approx(0.96, abs=1e-3), "phrase": "CO2"}
    assert carbon["spans"][0] == [0, 3]
    assert "match" not in gauge
    assert gauge["spans"] == [[32, 42], [63, 73]]  # by its label, and by the French word


def test_meaning_alone_finds_what_has_the_same_words_as_well():
    found = {each.text: each.match for each in extract("meaning", only_vocabulary=True)}
    assert set(found) == {"carbon dioxide", "tide gauge"}
    assert found["tide gauge"].similarity == pytest.approx(1.0, abs=1e-3)
    assert found["tide gauge"].phrase == "tide gauge"


def test_other_phrases_follow_without_those_that_were_matched():
    assert extract("both").texts == ("carbon dioxide", "tide gauge", "readings")


def test_concepts_are_named_in_the_language_of_the_reader(tmp_path):
    table = tmp_path / "thesaurus.csv"
    table.write_text("uri,label_en,label_fr\nurn:1,carbon dioxide,dioxyde de carbone\nurn:2,tide gauge,jauge\n")
    index = kw.build_vocabulary(table, tmp_path / "index", languages=["en"])
    index.meanings.append(index.encode_labels(encode))
    options = {"vocabulary": index, "match": "both", "label_language": "fr", "only_vocabulary": True}
    prediction = kw.extract(TEXT, system=lambda _: ["CO2", "tide gauge"], language="en", **options)
    assert [(each.text, each.concept.label) for each in prediction] == [
        ("CO2", "dioxyde de carbone"),
        ("tide gauge", "jauge"),
    ]
    assert prediction.keyphrases[0].match.phrase == "CO2"


def test_a_match_survives_its_record():
    (carbon, *_) = extract("both")
    assert Keyphrase.from_dict(json.loads(json.dumps(carbon.to_dict()))) == carbon


def test_an_index_stores_embeddings_and_their_encoder(tmp_path):
    index = kw.build_vocabulary(["carbon dioxide", "tide gauge", "sea ice"], tmp_path / "index", encoder="minilm")
    opened = kw.load_vocabulary(tmp_path / "index")
    assert opened.meanings[0].vectors.shape == (3, 384)
    assert np.array_equal(opened.meanings[0].vectors, index.meanings[0].vectors)
    assert opened.card["encoder"] == "minilm"
    (row,), (cosine,), (is_near,) = opened.label_meanings().find_nearest(["tidal gauges"])
    assert opened[row] == "tide gauge"
    assert 0.5 < cosine < 1
    assert is_near == (cosine >= opened.meanings[0].threshold)
    (tmp_path / "index" / "meanings.f16").write_bytes(b"xx")
    with pytest.raises(BrokenFile, match="cannot be used"):
        kw.load_vocabulary(tmp_path / "index")


def test_large_vocabularies_need_stored_embeddings():
    index = VocabularyIndex([f"term {n}" for n in range(MOST_UNSAVED + 1)], {"en": LabelKeys.of((), "en")})
    with pytest.raises(BadParameter, match="20,001 labels"):
        index.label_meanings()


def test_an_encoder_of_another_size_is_refused():
    meanings = LabelMeanings(lambda texts: np.ones((len(texts), 2)), np.ones((3, 4), np.float16), 0.5)
    with pytest.raises(BadParameter, match="2 numbers a text, and the index has 4"):
        meanings.find_nearest(["tide"])


def test_matching_without_a_vocabulary_is_refused():
    with pytest.raises(BadParameter, match="without a vocabulary"):
        phrase_filter_of({"match": "meaning"})
    with pytest.raises(BadParameter, match="label, meaning, both"):
        kw.extract(TEXT, match="words", vocabulary=["tide"])


def test_phrases_of_another_language_must_stand_out_among_labels():
    """Cosines .6, .1, .1 stand out sixfold, and .5, .5, .46 hardly; neither reaches the cosine that labels have."""
    table = {"clear": (0.6, 0.1, 0.1, 0.787), "vague": (0.5, 0.5, 0.46, 0.538)}
    meanings = LabelMeanings(lambda texts: np.array([table[text] for text in texts]), np.eye(3, 4), 0.9, margin=1.5)
    rows, cosines, is_near = meanings.find_nearest(list(table))
    assert rows[0] == 0
    assert cosines == pytest.approx([0.6, 0.5], abs=0.01)
    assert is_near.tolist() == [False, False]
    assert meanings.find_nearest(list(table), is_translated=True)[2].tolist() == [True, False]
    assert meanings.find_nearest([], is_translated=True)[2].tolist() == []
