"""Every card against the data: counts, fingerprints, and the first, tenth and last record of each split."""

import hashlib
import itertools

import pytest

from keywright.datasets.card import card, card_names
from keywright.datasets.collection import load
from keywright.datasets.files import Files
from keywright.datasets.fingerprint import record_digest
from keywright.datasets.reader import reader
from keywright.datasets.verification import demand, verify

# Counted independently by the notes that came with the data, or stated by the collections themselves.
STATED = {
    "semeval2010/trial": (40, {"author": (149, 150), "reader": (526, 536), "combined": (621, 632)}),
    "semeval2010/train": (144, {"author": (559, 563), "reader": (1824, 1865), "combined": (2223, 2265)}),
    "semeval2010/test": (100, {"author": (387, 390), "reader": (1204, 1248), "combined": (1466, 1513)}),
    "inspec/train": (1000, {"contr": (4469, 4469), "uncontr": (9788, 9788), "uncontr_in": (7536, 7536)}),
    "inspec/validation": (500, {"contr": (2223, 2223), "uncontr": (4575, 4575), "uncontr_in": (3501, 3501)}),
    "inspec/test": (500, {"contr": (2253, 2253), "uncontr": (4913, 4913), "uncontr_in": (3825, 3825)}),
    "krapivin2009/train": (2304 - 460, {"author": (12296 - 2641, 12296 - 2641)}),
    "krapivin2009/test": (460, {"author": (2641, 2641)}),
    "krapivin2009/test400": (400, {"author": (2339, 2339)}),
}

RECORDS = {
    "semeval2010/trial": [("C-41", "8fe098e4"), ("C-53", "2b05952f"), ("J-42", "69fb8d07")],
    "semeval2010/train": [("C-41", "8fe098e4"), ("C-53", "2b05952f"), ("J-74", "281ba514")],
    "semeval2010/test": [("C-1", "1faa5a00"), ("C-19", "f49b1279"), ("J-32", "2994d848")],
    "inspec/train": [("100", "2a6f1aec"), ("1008", "c07da23f"), ("999", "15352da1")],
    "inspec/validation": [("1461", "8f20673f"), ("147", "e920a32d"), ("1929", "8471465c")],
    "inspec/test": [("193", "01bc8775"), ("1938", "3d5bc300"), ("414", "53e683a4")],
    "krapivin2009/test": [("1005058", "73af8ee2"), ("1006427", "25b04f6a"), ("261878", "c4b8bb42")],
    "krapivin2009/test400": [("1005058", "73af8ee2"), ("1006427", "25b04f6a"), ("250286", "0b4ce915")],
}


def test_every_split_has_stated_counts():
    splits = {f"{name}/{split}" for name in card_names() for split in card(name).splits}
    assert splits == STATED.keys()


@pytest.mark.parametrize("name", sorted(STATED))
def test_cards_say_what_was_counted(name):
    collection, split = name.split("/")
    found = card(collection).split(split)
    assert found.documents == STATED[name][0]
    assert {kind: (count.entries, count.forms) for kind, count in found.gold.items()} == STATED[name][1]
    assert set(found.gold) == set(card(collection).gold)
    assert found.held_out == split.startswith("test")
    assert set(found.fingerprints) <= set(card(collection).forms)


@pytest.mark.data
@pytest.mark.parametrize("collection", card_names())
def test_data_is_what_the_cards_say(mirror, collection):
    verifications = verify(collection, mirror)
    demand(verifications)
    for one in verifications:
        split = card(collection).split(one.name.split("/")[1])
        assert one.documents == split.documents
        assert one.gold == split.gold


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(RECORDS))
def test_first_tenth_and_last_record(mirror, name):
    collection, split = name.split("/")
    files = Files(mirror / collection)
    records = list(reader(card(collection))(files, split, card(collection).forms[0]))
    found = [(records[at].id, record_digest(records[at])[:8]) for at in (0, 9, -1)]
    assert found == RECORDS[name]


@pytest.mark.data
@pytest.mark.parametrize("name", ["semeval2010", "inspec", "krapivin2009"])
def test_documents_load_with_sections(mirror, name):
    for labelled in itertools.islice(load(name, mirror), 20):
        kinds = [section.kind for section in labelled.document.sections]
        assert "abstract" in kinds


@pytest.mark.data
def test_known_copies_have_the_hashes_of_the_cards(mirror):
    for name in card_names():
        for file in card(name).files:
            content = (mirror / name / file.path).read_bytes()
            assert (len(content), hashlib.sha256(content).hexdigest()) == (file.bytes, file.sha256)
