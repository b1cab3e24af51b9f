"""Vocabularies in memory and on disk."""

import json
import pickle
import shutil

import numpy as np
import pytest

from keywright.core.errors import BadParameter, BrokenFile, UnreadableInput
from keywright.extraction.vocabularies.concepts import GrowingLabels, Labels
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.index_folder import check_place, open_index, save_index
from keywright.extraction.vocabularies.label_keys import LabelKeys
from keywright.text import label_stems
from keywright.text.label_stems import label_key

LABELS = ("Grid computing", "Quality of service", "C++", "Größe", "网格", "IL-6", "two\nlines", "grids", "\ud800 lone")


def keys(*phrases: str, language="en"):
    return np.array([label_key(phrase, language) for phrase in phrases], np.uint64)


def test_labels_are_columns_and_texts_again():
    labels = Labels.of(LABELS)
    assert list(labels) == list(LABELS)
    assert [labels[place] for place in range(-len(labels), len(labels))] == [*LABELS, *LABELS]
    assert labels[2:4] == ["C++", "Größe"]
    assert labels.offsets[:3].tolist() == [0, 15, 34]  # 14 and 18 letters, each with a line break
    assert list(Labels.of(())) == []
    many = [f"label {number}" for number in range(25_000)]
    assert list(Labels.of(many)) == many
    with pytest.raises(IndexError):
        labels[len(LABELS)]


def test_keys_are_those_of_phrases_and_of_their_beginnings():
    of_labels = LabelKeys.of(LABELS, "en")
    assert (
        of_labels.contain(keys("grid computer", "Quality of services", "c++", "GRÖSSE", "il 6", "grid")).tolist()
        == [True] * 6
    )
    begins, whole = of_labels.look_up(keys("quality", "quality of", "of service", "il", "two", "service"))
    assert begins.tolist() == [True, True, False, True, True, False]
    assert not whole.any()
    assert (np.diff(of_labels.keys.astype(object)) > 0).all()


def test_an_empty_vocabulary_has_no_keys():
    nothing = LabelKeys.of((), "en")
    assert nothing.contain(keys("grid")).tolist() == [False]
    assert LabelKeys.of(("--",), "en").contain(np.array([0], np.uint64)).tolist() == [False]


def test_keys_of_other_languages_are_computed_when_asked_for():
    index = VocabularyIndex.of(("chevaux", "Größen"), ("en",))
    assert index.keys_for("fr").contain(keys("cheval", language="fr")).all()
    assert index.keys_for("fr") is index.keys_for("fr")
    assert not index.keys_for("en").contain(keys("cheval")).any()


@pytest.fixture
def saved(tmp_path):
    save_index(VocabularyIndex.of(LABELS, ("en", "de")), tmp_path / "index", {"source": "labels.txt"})
    return tmp_path / "index"


def test_a_saved_index_is_the_same(saved):
    index = open_index(saved)
    assert list(index) == list(LABELS)
    assert index.digest == Labels.of(LABELS).digest
    assert {name: index.card[name] for name in ("format", "labels", "languages", "source")} == {
        "format": 3,
        "labels": 9,
        "languages": ["en", "de"],
        "source": "labels.txt",
    }
    for language in ("en", "de"):
        assert index.keys_for(language) is index.keys[language]
        assert index.keys[language].keys.tolist() == LabelKeys.of(LABELS, language).keys.tolist()
    again = pickle.loads(pickle.dumps(index))
    assert list(again) == list(LABELS)
    assert again.keys["de"].kinds.tolist() == index.keys["de"].kinds.tolist()
    assert len(pickle.dumps(index)) < 1_000  # a place, not the columns
    in_memory = pickle.loads(pickle.dumps(VocabularyIndex.of(LABELS, ("en",))))
    assert list(in_memory) == list(LABELS)


def test_a_replaced_index_is_not_mapped_by_a_late_worker(saved):
    late = pickle.dumps(open_index(saved))
    shutil.rmtree(saved)
    save_index(VocabularyIndex.of(("other",), ("en",)), saved, {})
    with pytest.raises(BrokenFile, match="replaced while it was in use"):
        pickle.loads(late)


def altered(path, **values: object):
    record = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(record | values), "utf-8")


def doubled(path):
    path.write_bytes(bytes(2 * byte % 256 for byte in path.read_bytes()))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "labels.txt").write_bytes(b"Grid\n"), "offsets.i64 does not fit labels.txt"),
        (lambda folder: (folder / "keys.en.u64").unlink(), "keys.en.u64"),
        (lambda folder: (folder / "keys.en.u64").write_bytes(b"123"), "cannot be used"),
        (lambda folder: (folder / "keys.en.u64").write_bytes(b""), "cannot be used"),
        (lambda folder: (folder / "keys.en.u64").write_bytes(bytes(16)), "differ in length"),
        (lambda folder: doubled(folder / "kinds.en.u8"), "not a column of kinds of keys"),
        (lambda folder: doubled(folder / "keys.en.u64"), "keys.en.u64 is not what its card says"),
        (lambda folder: altered(folder / "card.json", format=9), "its format is 9, and this version reads 3 and 4"),
        (lambda folder: altered(folder / "card.json", keywright="model"), "that of something else"),
        (lambda folder: altered(folder / "card.json", languages=["../en"]), "not codes"),
        (lambda folder: altered(folder / "card.json", labels="9"), "cannot be used"),
        (lambda folder: altered(folder / "card.json", sha256={}), "not those of its files"),
        (lambda folder: (folder / "card.json").write_text("["), "cannot be used"),
    ],
)
def test_damaged_files_are_refused(saved, damage, said):
    damage(saved)
    with pytest.raises(BrokenFile, match=said):
        open_index(saved)


@pytest.mark.parametrize(
    ("utf8", "offsets", "said"),
    [(b"gr\xefd\n", [0, 5], "labels.txt is not UTF-8"), (b"grid net\n", [0, 5, 9], "offsets.i64 does not fit")],
)
def test_labels_that_cannot_be_decoded_are_refused(tmp_path, utf8, offsets, said):
    labels = Labels(np.frombuffer(utf8, np.uint8), np.array(offsets))
    save_index(VocabularyIndex(labels, {"en": LabelKeys.of(("grid",), "en")}), tmp_path / "index", {})
    with pytest.raises(BrokenFile, match=said):
        open_index(tmp_path / "index")


def test_keys_of_another_stemmer_are_refused(tmp_path):
    other = VocabularyIndex(Labels.of(("grid computing",)), {"en": LabelKeys.of(("grid computing",), "xx")})
    save_index(other, tmp_path / "index", {})
    with pytest.raises(BrokenFile, match="other stemmers"):
        open_index(tmp_path / "index")


def test_keys_with_lemmas_are_refused_where_no_dictionary_is(tmp_path, monkeypatch):
    save_index(VocabularyIndex.of(["Hund"], ["de", "en"]), tmp_path / "index", {})  # whose stem is the same either way
    assert list(open_index(tmp_path / "index")) == ["Hund"]
    monkeypatch.setattr(label_stems, "has_lemmas", lambda: False)
    with pytest.raises(BrokenFile, match="keys for de were made by other stemmers or lemmas"):
        open_index(tmp_path / "index")


def test_no_dictionary_is_loaded_to_open_an_index(tmp_path, monkeypatch):
    """Each takes up to two seconds, and a text needs that of its own language alone."""
    save_index(VocabularyIndex.of(["Museum"], ["de", "fi", "ru", "en"]), tmp_path / "index", {})
    label_stems.label_stemmer.cache_clear()

    def refuse(*_: object, **__: object):
        raise AssertionError

    monkeypatch.setattr("simplemma.lemmatize", refuse)
    index = open_index(tmp_path / "index")
    assert index.keys_for("en").contain(keys("museums")).all()
    with pytest.raises(AssertionError):  # as texts in German need it
        keys("Museen", language="de")


def test_other_folders_are_neither_read_nor_replaced(saved, tmp_path):
    with pytest.raises(UnreadableInput, match="without a vocabulary index"):
        open_index(tmp_path)
    with pytest.raises(BadParameter, match="not a vocabulary index"):
        check_place(tmp_path, force=True)
    with pytest.raises(BadParameter, match="--force"):
        check_place(saved, force=False)
    check_place(saved, force=True)
    check_place(tmp_path / "new", force=False)


def test_texts_that_grow_are_copied_in_any_order():
    texts = GrowingLabels()
    for text in ("oaks", "Ähren", "", "elm\ntrees"):
        texts.append(text)
    assert texts.text(1) == "Ähren"
    for order in ([0, 1, 2, 3], [3, 1, 2, 0], [1, 1], [2], []):
        labels = texts.labels(np.array(order, np.int64))
        assert list(labels) == [texts.text(place) for place in order]


@pytest.mark.parametrize(
    "texts",
    [
        ["Peer-to-peer C++", "", "?", "C#\nlines", "heat, pump (air)", "1,2-diol", "St. John's wort", "rat's-tail"],
        ["Coeﬃcient", "naïve\nBayes", "数据 mining", "l'école (2,5)", "a, b"],
        ["\n", "\n\n"],
        [],
    ],
)
def test_keys_of_labels_that_are_cut_together_are_those_of_each(texts):
    alone = {key for text in texts for key in LabelKeys.of([text], "en").keys.tolist()}
    assert set(LabelKeys.of(texts, "en").keys.tolist()) == alone
