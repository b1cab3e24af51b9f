import json

import pytest

from keywright.api.listing import describe_dataset, describe_datasets
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, MissingData, TooLarge, UnknownName, WrongFingerprint
from keywright.datasets import card as cards
from keywright.datasets.collection import compute_fingerprint, demand_equal, load, verify, verify_splits
from keywright.datasets.files import cache_folder, find_copy, make_files
from keywright.reading.limits import Limits


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    (tmp_path / "mirror").mkdir()
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KEYWRIGHT_MIRROR", str(tmp_path / "mirror"))


def test_unknown_names_are_answered_with_the_nearest():
    with pytest.raises(
        UnknownName, match=r"no data set called 'inspek'; did you mean 'inspec'\? `keywright datasets list`"
    ):
        load("inspek")
    with pytest.raises(UnknownName, match=r"no split of inspec called 'tset'; did you mean 'test'\?"):
        load("inspec/tset")


def test_missing_data_names_the_line_that_brings_it():
    with pytest.raises(MissingData, match="`keywright datasets fetch inspec` downloads it"):
        load("inspec/test")
    with pytest.raises(MissingData, match="`keywright datasets show krapivin2009` tells how"):
        load("krapivin2009")


def test_a_mirror_that_is_no_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("KEYWRIGHT_MIRROR", str(tmp_path / "nowhere"))
    with pytest.raises(MissingData, match="KEYWRIGHT_MIRROR is not a folder"):
        load("inspec")


def test_gold_in_forms_that_do_not_exist():
    with pytest.raises(BadParameter, match="gold of semeval2010/test is not given as 'lemma'; expected one of: stem"):
        load("semeval2010/test", forms="lemma")


def test_the_mirror_comes_before_the_cache(tmp_path):
    card = cards.card("inspec")
    assert find_copy(card) is None
    (cache_folder() / "inspec").mkdir(parents=True)
    assert find_copy(card) == tmp_path / "cache" / "datasets" / "inspec"
    (tmp_path / "mirror" / "inspec.zip").write_bytes(b"")
    assert find_copy(card) == tmp_path / "mirror" / "inspec.zip"
    assert find_copy(card, tmp_path) == tmp_path / "cache" / "datasets" / "inspec"


def test_collections_that_share_a_folder_are_there_when_a_file_is(tmp_path):
    shared = tmp_path / "mirror" / "keyphrase_test"
    shared.mkdir()
    (shared / "krapivin400.jsonl").write_text("")
    assert find_copy(cards.card("krapivin_abstracts")) == shared
    assert find_copy(cards.card("kp20k_small")) is None
    with pytest.raises(
        MissingData, match="a folder that holds one named keyphrase_test can be named in KEYWRIGHT_MIRROR"
    ):
        load("kp20k_small")


def test_a_data_set_has_sections_a_size_and_a_signature(tmp_path, papers, as_folder):
    as_folder(tmp_path / "mirror" / "semeval2010", papers)
    data = load("semeval2010/test")
    assert [one.id for one in data] == ["H-2", "I-3"]
    assert [one.id for one in data] == ["H-2", "I-3"]
    assert any(section.kind == "abstract" for section in next(iter(data)).document.sections)
    assert len(data) == 100  # what the card says of the real one
    assert data.held_out
    assert data.signature == f"semeval2010/test|forms:stem|fingerprint:{data.fingerprint[:8]}"
    assert [split.name for split in load("semeval2010").splits] == ["train", "test"]


def test_verification_tells_both_fingerprints(tmp_path, papers, as_folder, tiny_card):
    as_folder(tmp_path / "mirror" / "semeval2010", papers)
    (found,) = verify("semeval2010/test")
    assert not found.ok
    assert found.documents == 2
    assert {kind: (count.entries, count.forms) for kind, count in found.gold.items()} == {
        "author": (2, 2),
        "reader": (2, 3),
        "combined": (4, 5),
    }
    with pytest.raises(WrongFingerprint, match=f"has fingerprint {found.computed}, its card says {found.expected}"):
        demand_equal((found,))
    card = cards.read_card(tiny_card())
    splits = verify_splits(card, card.splits.values(), make_files(card, tmp_path / "mirror" / "semeval2010"))
    assert [one.ok for one in splits] == [True, True]
    demand_equal(splits)


def test_any_place_can_be_verified(tmp_path, papers, as_tar):
    place = as_tar(tmp_path / "somewhere.tar.gz", papers, under="deep/down/")
    (found,) = verify("semeval2010/test", place=place)
    assert found.documents == 2


def test_a_fingerprint_knows_no_order_of_documents_but_one_of_gold():
    a = LabelledDocument(Document("a", "A"), (GoldKeyphrase(("x",), "by"), GoldKeyphrase(("y",), "by")))
    b = LabelledDocument(Document("b", "B"), ())
    turned = LabelledDocument(a.document, a.gold[::-1])
    assert compute_fingerprint([a, b]) == compute_fingerprint([b, a]) != compute_fingerprint([turned, b])
    # sha256sum of no bytes
    assert compute_fingerprint([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_descriptions_are_json_with_the_licence_before_the_size():
    rows = describe_datasets()
    assert [row["name"] for row in rows] == sorted(cards.card_names())
    assert not any(row["here"] for row in rows)
    for name in cards.card_names():
        described = describe_dataset(name)
        keys = list(json.loads(json.dumps(described)))
        assert keys.index("licence") < keys.index("documents")


def test_a_json_lines_file_stands_for_a_data_set(tmp_path):
    path = tmp_path / "papers.jsonl"
    lines = [
        {"id": "1", "title": "Grids", "abstract": "About.", "keyphrases": ["grid", ["a", "b"]]},
        {"id": "2", "text": "T"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    data = load(str(path))
    first, second = data
    assert [gold.forms for gold in first.gold] == [("grid",), ("a", "b")]
    assert (second.id, second.gold) == ("2", ())
    assert (len(data), data.held_out) == (2, False)
    assert data.signature == f"{path}|forms:surface|fingerprint:{compute_fingerprint(data)[:8]}"
    with pytest.raises(BadParameter, match="expected surface"):
        load(str(path), forms="stem")


def test_json_lines_files_that_are_missing_or_repeat_an_id(tmp_path):
    with pytest.raises(MissingData, match=r"there is no file nothing\.jsonl"):
        load("nothing.jsonl")
    (tmp_path / "twice.jsonl").write_text('{"id": "1", "text": "a"}\n' * 2)
    with pytest.raises(BadRecord, match="'1' comes twice"):
        list(load(str(tmp_path / "twice.jsonl")))


def test_a_labelled_file_of_any_size_is_streamed(tmp_path, monkeypatch):
    file = tmp_path / "labelled.jsonl"
    file.write_text("".join(f'{{"id": "d{n}", "text": "Lake ice.", "keyphrases": ["ice"]}}\n' for n in range(50)))
    # The limit of a file's size holds for each of its lines: 50 lines of some 55 bytes are read, one above 100 is not.
    monkeypatch.setattr("keywright.datasets.files.LIMITS", Limits(file_bytes=100))
    assert [labelled.id for labelled in load(str(file))] == [f"d{number}" for number in range(50)]
    assert len(load(str(file))) == 50
    file.write_text(f'{{"id": "long", "text": "{"ice " * 50}", "keyphrases": ["ice"]}}\n')
    with pytest.raises(TooLarge, match="at most 100 are read in a line"):
        list(load(str(file)))
