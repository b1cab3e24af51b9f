"""The bundled lexicons: what they know, where it comes from, and that the tool makes the same again.

What is known by language: all tables for English, some for French, none for any other.

Tables side by side answer what each answers by itself.
"""

import importlib.util
import json
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.house.tree import PACKAGE, ROOT

from keywright.core.errors import UnknownName
from keywright.core.zstandard import zstd
from keywright.extraction.corpus import knowledge as knowledge_module
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import (
    ANY,
    LANGUAGES,
    LEXICONS,
    TABLES,
    JointCounts,
    Knowledge,
    background,
    common_words,
    knowledge_of,
    lacking,
    lexicon,
    pair_keys,
    reference_english,
    titles,
)
from keywright.text.keys import phrase_key
from keywright.text.stems import semeval_stem, stemmer
from studies.training_data.author_lists import LISTS, MIX, lists_of_phrases

SIZE_OF_ALL = 12_000_000


def keys(*phrases: str):
    return np.array([phrase_key(phrase) for phrase in phrases], np.uint64)


def tool():
    spec = importlib.util.spec_from_file_location("build_lexicons", ROOT / "tools" / "train" / "build_lexicons.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def lists_once(mirror, language="en"):
    """Lists that may be counted: which those are takes longer than counting them, and many lexicons are of the same."""
    return tuple(lists_of_phrases(mirror, language))


@pytest.mark.parametrize(
    ("name", "known", "unknown"),
    [
        ("wordnet", ["Dogs", "operating system", "information"], ["peer to peer network", "qqxzzq"]),
        ("foldoc", ["operating systems", "garbage collection", "case-sensitive"], ["agriculturist", "!"]),
        ("vera", ["TCP", "XML", "ACID"], ["dog", "network"]),
        ("author-keyphrases", ["information retrieval", "reinforcement learning", "Kant"], ["the", "et al"]),
        ("author-words", ["retrieval", "Neural", "systems"], ["information retrieval", "qqxzzq", "the et"]),
        ("author-heads", ["retrieval", "systems", "learning"], ["reinforcement learning", "qqxzzq"]),
        ("general-english", ["the", "networks", "philosophy"], ["neural network", "qqxzzq"]),
        ("titles", ["neural networks", "quality of service"], ["of the", "dog and pony"]),
    ],
)
def test_what_a_lexicon_knows(name, known, unknown):
    assert lexicon(name).of(keys(*known)).all()
    assert not lexicon(name).of(keys(*unknown)).any()


def test_counts_follow_what_everybody_knows():
    words = lexicon("general-english").of(keys("the", "system", "algorithm", "hypergraph"))
    assert np.all(np.diff(words) < 0)
    nouns = lexicon("wordnet").of(keys("dog", "operating system"))
    assert nouns.tolist() == [7, 1]  # senses in WordNet 3.0
    assert lexicon("author-keyphrases").of(keys("information retrieval"))[0] > 100
    held, heads = (lexicon(name).of(keys("system", "neural")) for name in ("author-words", "author-heads"))
    assert held[0] > heads[0]  # "system identification" as well as "operating system"
    assert held[1] > 20 * heads[1]  # no keyphrase ends with an adjective but by chance


def test_a_lexicon_that_does_not_exist():
    with pytest.raises(UnknownName, match="did you mean 'wordnet'"):
        lexicon("wordnets")


@pytest.mark.parametrize("name", LEXICONS)
def test_every_table_has_a_card_with_sources_and_licence_and_fits_it(name):
    table = lexicon(name)
    assert {"name", "what", "sources", "licence", "made_by", "date", "sha256"} <= table.card.keys()
    assert table.card["name"] == name
    assert len(table) == table.card["phrases"] > 1000
    assert np.all(np.diff(np.asarray(table.keys, object)) > 0)
    assert int(table.counts.min()) >= table.card.get("least_documents", table.card.get("least_occurrences", 1))
    assert 0 not in table.keys[:1]
    assert LEXICONS[name] in (PACKAGE / "models" / "LICENCES.md").read_text() or name.startswith("reference")


def test_the_tables_are_small_and_those_in_the_folder():
    tables = {path.name: path.stat().st_size for path in (PACKAGE / "models").glob("*.counts")}
    assert set(tables) == {*LEXICONS.values(), "background_en.counts", "background_fr.counts"}
    assert sum(tables.values()) < SIZE_OF_ALL


def test_the_reference_counts_n_grams_of_each_length_with_stop_words():
    one, two, three, four = reference_english()
    assert one.of(keys("the", "of", "human")).all()
    assert two.of(keys("of the", "human rights")).all()
    assert three.of(keys("in order to", "quality of life")).all()
    assert four.of(keys("on the other hand")).all()
    assert not one.of(keys("of the")).any()
    assert one.of(keys("the"))[0] > two.of(keys("of the"))[0] > three.of(keys("one of the"))[0]
    # papers of the shared task speak of these; general English does not
    assert not two.of(keys("query expansion", "overlay network")).any()


def test_pairs_are_symmetric_and_do_not_confuse_words():
    left, right = keys("grid service", "a b", "a d"), keys("web", "c d", "c b")
    assert pair_keys(left, right).tolist() == pair_keys(right, left).tolist()
    assert len(set(pair_keys(left, right).tolist())) == 3
    assert pair_keys(left[:1], right).shape == (3,)


def test_co_usage_counts_lists_with_both_phrases():
    pairs = pair_keys(keys("information retrieval"), keys("query expansion", "melanoma"))
    together = lexicon("co-usage").of(pairs)
    assert together[0] >= 2
    assert together[1] == 0
    assert together[0] <= lexicon("author-keyphrases").of(keys("query expansion"))[0]
    assert lexicon("co-usage").documents == lexicon("author-keyphrases").documents


@pytest.fixture
def no_other_gold(monkeypatch):
    """No guarded data set but the shared task's, which ``write_sources`` writes."""
    monkeypatch.setattr("studies.training_data.author_lists.other_gold", lambda _: [])


def write_sources(mirror):
    def packed(name, records):
        path = mirror / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zstd.compress("".join(json.dumps(record) + "\n" for record in records).encode()))

    def thesis(number):
        return {
            "title": f"Old Trees {number}",
            "abstract": "Of the old trees.",
            "keyphrases": ["old trees", "forest", "!"] if number else ["software engineering", "forest"],
            "source": "papyrus",
        }

    packed(MIX, [thesis(number) for number in range(6)])
    packed(LISTS, [["grid computing", "web services", "UDDI"], ["old tree", "forests"], ["grid computing"]])
    (mirror / "lexicons/acm_ccs2012.tsv").write_text("10011007.1\tSoftware engineering\t\t\n10010405.1\tForests\t\t\n")
    for split in ("train", "test"):
        (mirror / f"semeval2010/{split}_answer").mkdir(parents=True)
        for kind in ("author", "reader", "combined"):
            path = mirror / f"semeval2010/{split}_answer/{split}.{kind}.stem.final"
            path.write_text("C-1 : grid comput,web servic+servic of the web,uddi registri\n")


@pytest.mark.usefixtures("no_other_gold")
def test_lists_like_a_papers_are_left_out_and_pairs_counted_once_a_list(tmp_path):
    build = tool()
    write_sources(tmp_path)
    lists = build.author_keyphrases(tmp_path)
    assert lists.documents == 8  # of six theses and three lists, without the one that shares two of three phrases
    assert lists.of(keys("old trees", "forest", "grid computing", "UDDI")).tolist() == [6, 7, 1, 0]
    pairs = build.co_usage(tmp_path)
    assert pairs.of(pair_keys(keys("forest"), keys("old tree", "software engineering"))).tolist() == [6, 0]


def test_the_reference_leaves_computing_out_and_counts_by_length(tmp_path):
    build = tool()
    write_sources(tmp_path)
    one, two, three, four = build.reference_english(tmp_path)
    assert one.documents == 5  # the first thesis is on software; forests are an application
    assert one.of(keys("tree", "of", "6")).tolist() == [10, 5, 0]
    assert two.of(keys("old trees", "of the", "of")).tolist() == [10, 5, 0]
    assert (three.of(keys("the old trees"))[0], four.of(keys("of the old tree"))[0]) == (5, 5)


@pytest.mark.usefixtures("no_other_gold")
def test_words_and_heads_are_counted_once_a_keyphrase(tmp_path):
    build = tool()
    write_sources(tmp_path)
    words, heads = build.author_words(tmp_path), build.author_heads(tmp_path)
    # six times "forest" and "forests" once; five times "old trees" and "!", "old tree" and "grid computing" once, and
    # once "software engineering"
    assert words.of(keys("old", "tree", "forest", "grid", "engineering", "UDDI")).tolist() == [6, 6, 7, 1, 1, 0]
    assert heads.of(keys("old", "tree", "forest", "grid", "computing", "engineering")).tolist() == [0, 6, 7, 0, 1, 1]
    assert words.documents == heads.documents


def test_a_word_within_a_keyphrase_counts_once(monkeypatch):
    build = tool()
    monkeypatch.setattr(build, "lists_of_phrases", lambda *_: [["time after time", "real-time systems"], ["", "times"]])
    assert build.author_words(None).of(keys("time", "after", "real-time", "system")).tolist() == [2, 1, 1, 1]
    assert build.author_heads(None).of(keys("time", "after", "system")).tolist() == [2, 0, 1]


def test_elided_words_of_french_keyphrases_are_apart(monkeypatch):
    build = tool()
    monkeypatch.setattr(
        build, "lists_of_phrases", lambda *_: [["Droits de l'enfant", "Offre d\N{RIGHT SINGLE QUOTATION MARK}achat"]]
    )
    stem = stemmer("fr")
    words, heads = build.author_words(None, "fr"), build.author_heads(None, "fr")
    asked = np.array([phrase_key(word, stem) for word in ("droit", "enfant", "enfants", "achat", "offre")], np.uint64)
    assert words.of(asked).tolist() == [1, 1, 1, 1, 1]
    assert heads.of(asked).tolist() == [0, 1, 1, 1, 0]


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        # Most of the time; the French ones are alike.
        *(pytest.param(name, marks=pytest.mark.thorough) for name in ("author-keyphrases", "author-words")),
        *"author-heads author-keyphrases-fr author-words-fr author-heads-fr co-usage".split(),
        *"foldoc vera wordnet general-english".split(),
    ],
)
def test_the_tool_makes_the_same_again(mirror, name, monkeypatch):
    build = tool()
    monkeypatch.setattr(build, "lists_of_phrases", lists_once)
    assert build.built(name, mirror).fingerprint == lexicon(name).fingerprint


@pytest.mark.data
def test_the_larger_tables_hold_what_a_part_of_their_sources_holds(mirror, monkeypatch):
    """Building them takes minutes; but no n-gram of a part may be rarer in the whole."""
    build = tool()

    def read_part(path):
        with zstd.open(path) as lines:
            yield from map(json.loads, islice(lines, 0, None, 40))

    monkeypatch.setattr(build, "records", read_part)
    parts = {
        titles(): build.titles(mirror),
        **dict(zip(reference_english(), build.reference_english(mirror), strict=True)),
    }
    for table, part in parts.items():
        assert len(part) > 100
        assert np.all(table.of(part.keys) >= part.counts)


@pytest.mark.data
def test_no_list_is_that_of_a_paper_of_the_shared_task(mirror, monkeypatch):
    """By strings, over the answer files, with the rule written out again."""
    build = tool()
    monkeypatch.setattr(build, "lists_of_phrases", lists_once)
    gold, papers = {}, defaultdict(set)
    for split in ("train", "test"):
        for kind in ("author", "reader", "combined"):
            for line in (mirror / f"semeval2010/{split}_answer/{split}.{kind}.stem.final").read_text().splitlines():
                if line.strip():
                    paper, forms = line.split(" : ", 1)
                    gold[paper, kind] = set(forms.replace("-", " ").replace("+", ",").split(","))
    for name, phrases in gold.items():
        for phrase in phrases:
            papers[phrase].add(name)
    kept = {tuple(keys_) for keys_ in build.author_lists(mirror)}
    looked_at = 0
    for phrases in all_lists(build, mirror):
        stems = {semeval_stem(phrase).replace("-", " ") for phrase in phrases}
        shared = Counter(name for stem in stems for name in papers.get(stem, ()))
        if any(common >= 2 and common >= 0.6 * len(stems) for common in shared.values()):
            looked_at += 1
            assert tuple(build.keys_of(phrases)) not in kept, phrases
    assert looked_at > 10


def all_lists(build, mirror):
    yield from (record["keyphrases"] for record in build.records(mirror / MIX) if record["source"] == "papyrus")
    yield from build.records(mirror / LISTS)


def test_the_background_and_the_lexicons_have_different_contents():
    fingerprints = {lexicon(name).fingerprint for name in LEXICONS} | {background().fingerprint}
    assert len(fingerprints | {background("fr").fingerprint}) == len(LEXICONS) + 2


def french(*phrases: str):
    return np.array([phrase_key(phrase, stemmer("fr")) for phrase in phrases], np.uint64)


def test_english_lacks_nothing():
    assert lacking(knowledge_of("en")) == lacking(Knowledge()) == ()


def test_french_knows_how_often_phrases_are_written_and_chosen():
    known = knowledge_of("fr")
    assert lacking(known) == ("titles of papers", "dictionary")
    rare, common = known.background.of(french("apprentissage automatique", "étude"))
    assert 5 <= rare < common < known.background.documents
    chosen = known.chosen.of(french("identité", "droits de l'enfant", "de l'identité et"))
    assert chosen[0] > chosen[1] > chosen[2] == 0
    assert known.chosen_words.of(french("enfant"))[0] > known.chosen_heads.of(french("enfant"))[0] > 0


def test_of_any_other_language_nothing_is_known():
    known = knowledge_of(ANY)
    assert ANY not in LANGUAGES
    assert lacking(known) == (
        "lexicon of keyphrases", "background frequencies", "titles of papers", "dictionary", "parts of speech",
    )  # fmt: skip
    assert not any(len(getattr(known, table)) for table in TABLES)
    # equally rare, but not of no weight
    assert known.background.rarity(known.background.of(french("étude", "identité"))).tolist() == [1, 1]


def test_what_is_lacking_is_what_is_empty():
    assert lacking(replace(Knowledge(), tags=None)) == ("parts of speech",)
    assert lacking(Knowledge.without_choices()) == ("lexicon of keyphrases",)


LAST = 2**64 - 1
KEYS = st.one_of(st.integers(0, 40), st.integers(0, LAST), st.integers(LAST - 40, LAST))


def table(*pairs: tuple[int, int]) -> PhraseCounts:
    return PhraseCounts.of_phrases(pairs, 9)


def keys_of_joint_counts(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint64)


def test_by_hand():
    together = JointCounts.of_tables([table((3, 1), (LAST, 8)), table(), table((3, 5), (4, 2), (1 << 63, 7))])
    found = together.of(keys_of_joint_counts(4, 3, LAST, 5, 1 << 63, 0, 3))
    assert (found.dtype, found.tolist()) == (
        np.float64,
        [[0, 1, 8, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0], [2, 5, 0, 0, 7, 0, 5]],
    )


@pytest.mark.parametrize("tables", [[], [table()], [table(), table()]])
def test_nothing_known(tables):
    together = JointCounts.of_tables(tables)
    assert together.of(keys_of_joint_counts(0, 7, LAST)).tolist() == [[0, 0, 0]] * len(tables)
    assert together.of(keys_of_joint_counts()).shape == (len(tables), 0)


@given(st.lists(st.dictionaries(KEYS, st.integers(1, 2**32 - 1), max_size=30), max_size=4), st.lists(KEYS, max_size=30))
def test_the_same_as_one_by_one(counts, asked):
    tables = [table(*one.items()) for one in counts]
    wanted = keys_of_joint_counts(*asked, *(key for one in counts for key in one))
    found = JointCounts.of_tables(tables).of(wanted)
    assert found.tolist() == [one.of(wanted).tolist() for one in tables]


def test_knowledge_says_the_same_however_often_it_is_asked(monkeypatch):
    monkeypatch.setattr(knowledge_module, "_KEYS_BEFORE_JOINING", 80)
    tables = {name: table((at, at + 1), (99, 7)) for at, name in enumerate(TABLES)}
    knowledge = Knowledge(**tables, tags=None)
    expected = {
        name: [float(at + 1) if key == at else 0.0 for key in range(7)] + [7.0] for at, name in enumerate(TABLES)
    }
    for _ in range(20):
        found = knowledge.counts(keys_of_joint_counts(*range(7), 99))
        assert {name: column.tolist() for name, column in found.items()} == expected


def test_of_other_languages_the_commonest_words_are_known():
    words = common_words("de")
    haus, und, rare = words.of(
        np.array([phrase_key(word, stemmer("de")) for word in ("Haus", "und", "Wärmepumpe")], np.uint64)
    )
    assert und > haus > rare == 0
    assert knowledge_of("de").general.fingerprint == words.fingerprint
    assert len(common_words("xx")) == len(knowledge_of(ANY).general) == 0


def test_commonest_words_are_found_with_lemmas_and_without():
    polish = common_words("pl")
    assert (polish.of(np.array([phrase_key(word, str) for word in ("prawo", "prawa")], np.uint64)) > 0).all()
