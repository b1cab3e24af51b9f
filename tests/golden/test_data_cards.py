"""Every card against the data: counts, fingerprints, and the first, tenth and last record of each split."""

import hashlib
import itertools

import pytest

from keywright.datasets.card import card, card_names
from keywright.datasets.collection import demand_equal, digest_record, load, verify
from keywright.datasets.files import find_copy
from keywright.reading.formats import jsonl

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
    # 39,472 lines with 187,818 keyphrases, one line blank; 23,828 of authors alone, 25,327 with the indexers' 1,499
    "train_mix/author": (23828 - 1, {"author": (131908, 131908)}),
    "train_mix/indexer": (1499, {"indexer": (14357, 14357)}),
    "train_mix/tag": (9889, {"tag": (24024, 24024)}),
    "train_mix/category": (4256, {"category": (187818 - 131908 - 14357 - 24024,) * 2}),
    "papyrus_fr/train": (14602, {"author": (96861, 96861)}),
    "nus/train": (120, {"combined": (1369, 1369)}),
    "schutz2008/train": (536, {"author": (2453, 2453), "term": (23875 - 2453, 23875 - 2453)}),
    "news500n/train": (400, {"crowd": (19834, 19834)}),
    "semeval2017/train": (350, {"annotator": (5943, 5943)}),
    "kp20k_small/test": (1000, {"author": (5237, 5237)}),
    "krapivin_abstracts/test": (460, {"author": (2641, 2641)}),
    "krapivin_abstracts/test400": (400, {"author": (2339, 2339)}),
    "semeval2010_abstracts/test": (100, {"combined": (1507 - 1, 1507 - 1)}),  # one is blank
    "citeulike_tags/train": (123, {"tag": (2075, 2075)}),
    "fao_agrovoc/train": (779, {"descriptor": (6211, 6211)}),
    "pubmed_mesh/train": (250, {"descriptor": (3520, 3520 + 633)}),  # 633 headings have a comma and a blank
    "wicc_es/train": (1640, {"author": (5860, 5860)}),
    "akec/train": (100, {"crowd": (10109 - 3714, 10109 - 3714)}),
    "akec/test": (60, {"crowd": (3714, 3714)}),
    # documents as the notes state them, labels counted in the lines
    "everyday/bio_nfcore": (717, {"author": (3200, 3200)}),
    "everyday/blog_carpentries": (560, {"tag": (1434, 1434)}),
    "everyday/blog_go": (57, {"tag": (146, 146)}),
    "everyday/datasets_aws": (518, {"tag": (3265, 3265)}),
    "everyday/de_bundestag": (1793, {"descriptor": (10055, 10055)}),
    "everyday/dhd_abstracts": (687, {"author": (2965, 2965)}),
    "everyday/docs_apisix": (82, {"author": (211, 211)}),
    "everyday/docs_businesscentral": (281, {"author": (1259, 1259)}),
    "everyday/es_pybonacci": (85, {"tag": (394, 394)}),
    "everyday/geodata_stanford": (1786, {"descriptor": (9410, 9410)}),
    "everyday/gov_18f": (279, {"tag": (927, 927)}),
    "everyday/gov_digitalgov": (678, {"tag": (2124, 2124)}),
    "everyday/it_tansignari": (57, {"tag": (223, 223)}),
    "everyday/ja_azu": (357, {"tag": (1116, 1116)}),
    "everyday/ja_jser": (1120, {"tag": (2827, 2827)}),
    "everyday/ko_johngrib": (152, {"tag": (355, 355)}),
    "everyday/multi_mdn": (208, {"tag": (707, 707)}),
    "everyday/nl_m365": (359, {"author": (2938, 2938)}),
    "everyday/notes_dwarves": (317, {"tag": (1064, 1064)}),
    "everyday/papers_joss": (63, {"author": (304, 304)}),
    "everyday/qa_robotics": (1056, {"tag": (3070, 3070)}),
    "everyday/qa_travel": (962, {"tag": (3110, 3110)}),
    "everyday/recipes_public": (226, {"tag": (632, 632)}),
    "everyday/software_chocolatey": (163, {"tag": (821, 821)}),
    "everyday/software_umbrella": (113, {"author": (1339, 1339)}),
    "everyday/talks_multi": (97, {"tag": (431, 431)}),
    "everyday/talks_pyvideo": (819, {"tag": (3115, 3115)}),
    "everyday/zh_csl": (1152, {"author": (5969, 5969)}),
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
    "nus/train": [("1", "39222ba4"), ("114", "a625dd2d"), ("97", "1f14f7d8")],
    "news500n/train": [
        ("art_and_culture-20906350", "4dcff1d6"),
        ("art_and_culture-20920470", "070c6d39"),
        ("tech-20955348", "ce0fc76f"),
    ],
    "semeval2017/train": [
        ("S0003491615000433", "973ec34b"),
        ("S000926141301539X", "69438ee9"),
        ("S2352179114200056", "64d6dca0"),
    ],
    "kp20k_small/test": [
        ("kp20k_small_test_0000", "f8a1631d"),
        ("kp20k_small_test_0009", "1b477697"),
        ("kp20k_small_test_0999", "5cf2e97f"),
    ],
    "krapivin_abstracts/test": [
        ("krapivin_0000", "997442dc"),
        ("krapivin_0009", "17dbfad4"),
        ("krapivin_0459", "578327ea"),
    ],
    "citeulike_tags/train": [("100166", "12f10078"), ("1137519", "f6b673e1"), ("99033", "358281ab")],
    "fao_agrovoc/train": [("00950e", "3d511f53"), ("ab393e", "51afb831"), ("z5700e", "0bfb7be9")],
    "pubmed_mesh/train": [("10933267", "2a472195"), ("11415952", "99310fa0"), ("15353412", "09c006bd")],
    "wicc_es/train": [("18350", "4bc5612f"), ("18376", "8e6ab240"), ("22281", "45bd0d4e")],
    "akec/train": [("ArtMus01", "ea54fbee"), ("ArtMus14", "fb4bc4b9"), ("Touris16", "b368572a")],
    "train_mix/indexer": [
        ("inspec_train_100", "88b9b54b"),
        ("inspec_train_1008", "cb02e2f1"),
        ("inspec_valid_1929", "93959f8a"),
    ],
}
LARGE = {"krapivin2009", "train_mix"}  # half of the time; their files have the hashes of the cards


def test_every_split_has_stated_counts():
    splits = {f"{name}/{split}" for name in card_names() for split in card(name).splits}
    assert splits == STATED.keys()
    assert splits >= RECORDS.keys()


@pytest.mark.parametrize("name", sorted(STATED))
def test_cards_say_what_was_counted(name):
    collection, split = name.split("/")
    found = card(collection).split(split)
    assert found.documents == STATED[name][0]
    assert {kind: (count.entries, count.forms) for kind, count in found.gold.items()} == STATED[name][1]
    if collection != "everyday":  # each split has one kind
        assert set(found.gold) == ({split} if collection == "train_mix" else set(card(collection).gold))
    assert found.held_out == split.startswith("test")
    assert set(found.fingerprints) <= set(card(collection).forms)


@pytest.mark.data
@pytest.mark.parametrize(
    "collection", [pytest.param(name, marks=pytest.mark.thorough) if name in LARGE else name for name in card_names()]
)
def test_data_is_what_the_cards_say(mirror, collection, monkeypatch):
    """One pass over the files gives counts, fingerprints, and the first, tenth and last record; none has sections."""
    monkeypatch.setattr(jsonl, "find_sections", lambda *_, **__: ())
    records = []

    def recorded(labelled):
        records.append((labelled.id, digest_record(labelled)))
        return records[-1][1]

    monkeypatch.setattr("keywright.datasets.collection.digest_record", recorded)
    verifications = verify(collection, mirror)
    demand_equal(verifications)
    for one in verifications:
        split = card(collection).split(one.name.split("/")[1])
        assert one.documents == split.documents
        assert one.gold == split.gold
        of_split, records = records[: one.documents], records[one.documents :]
        if one.forms == card(collection).forms[0] and one.name in RECORDS:
            assert [(of_split[at][0], of_split[at][1][:8]) for at in (0, 9, -1)] == RECORDS[one.name]


@pytest.mark.data
@pytest.mark.parametrize("name", ["semeval2010", "inspec", "krapivin2009", "krapivin_abstracts", "kp20k_small"])
def test_documents_load_with_sections(mirror, name):
    for labelled in itertools.islice(load(name, mirror), 20):
        kinds = [section.kind for section in labelled.document.sections]
        assert "abstract" in kinds


@pytest.mark.data
def test_known_copies_have_the_hashes_of_the_cards(mirror):
    for name in card_names():
        for file in card(name).files:
            content = (find_copy(card(name), mirror) / file.path).read_bytes()
            assert (len(content), hashlib.sha256(content).hexdigest()) == (file.bytes, file.sha256)
