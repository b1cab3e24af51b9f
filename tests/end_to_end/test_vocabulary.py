"""`keywright vocabulary build`, and an index in place of a file of phrases."""

import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter

ARTICLE = ROOT / "examples" / "article.txt"
LABELS = ("battery life", "precision agriculture", "how long", "quantum computing", "Soil-moistures", "C++")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "terms.txt").write_text("\n".join((*LABELS, "", "C++")), "utf-8")
    return tmp_path


def test_an_index_gives_what_its_file_gives(folder):
    built = keywright("vocabulary", "build", "terms.txt", "-o", "terms", "--language", "en", "--json", cwd=folder)
    assert built.returncode == 0
    card = json.loads(built.stdout)
    assert (card["labels"], card["languages"], card["source"]) == (6, ["en"], "terms.txt")
    assert card["left_out"] == {"empty": 1, "there before": 1}
    assert card["first_left_out"]["there before"] == "terms.txt:8"
    assert b"left out: 1 there before, first at terms.txt:8" in built.stderr
    for options in ((), ("--only-vocabulary",), ("--language", "de"), ("--jobs", "2", ARTICLE)):
        outputs = [
            keywright("extract", ARTICLE, "--vocabulary", vocabulary, "--format", "jsonl", *options, cwd=folder)
            for vocabulary in ("terms.txt", "terms")
        ]
        assert outputs[0].returncode == 0
        assert outputs[0].stdout == outputs[1].stdout  # with the options that made them
        assert outputs[0].stderr == outputs[1].stderr


def test_refused_labels_cost_themselves(folder):
    (folder / "signs.csv").write_text("label\nTides\n--\n", "utf-8")
    done = keywright("vocabulary", "build", "signs.csv", "-o", "signs", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "note: signs.csv: labels are read from the column 'label'",
        "left out: 1 without letter or digit, first at signs.csv:3",
        "1 labels, keys for 'en': signs",
    ]
    again = keywright("vocabulary", "build", "signs.csv", "-o", "signs", "--quiet", cwd=folder)
    assert again.returncode == 2
    assert b"--force" in again.stderr


def test_a_folder_without_an_index_is_refused(folder):
    done = keywright("extract", ARTICLE, "--vocabulary", ".", cwd=folder)
    assert done.returncode == 3
    assert b"keywright vocabulary build" in done.stderr


def test_from_python(folder):
    index = kw.build_vocabulary(folder / "terms.txt", folder / "index", languages=("en", "fr"))
    wanted = {"only_vocabulary": True}
    expected = kw.extract(ARTICLE, vocabulary=LABELS, **wanted)
    assert expected.texts == ("soil moisture", "precision agriculture", "battery life", "how long")
    for vocabulary in (index, folder / "index", str(folder / "index"), kw.load_vocabulary(folder / "index")):
        assert kw.extract(ARTICLE, vocabulary=vocabulary, **wanted) == expected
    with pytest.raises(BadParameter, match="'english' is not the code of a language; did you mean 'en'"):
        kw.build_vocabulary(LABELS, folder / "other", languages=("english",))
    (unmatched,) = kw.extract("Tides rise and fall.", vocabulary=index).warnings[-1:]
    assert unmatched == "no phrase of the vocabulary (6 phrases) is in this document"


TURTLE = (
    '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<urn:ex:1> a skos:Concept; skos:prefLabel "viruses"@en .\n'
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("subjects.tsv", "<urn:ex:1>\tviruses\n<urn:ex:2>\theat pumps\tN2\n"),
        ("subjects.txt", "\ufeff<urn:ex:1>\tviruses\n"),
        ("subjects.csv", "uri,label_en,label_fi,notation\nurn:ex:1,viruses,virukset,N1\n"),
        ("subjects.ttl", TURTLE),
        ("marked.ttl", f"\ufeff{TURTLE}"),
    ],
)
def test_a_thesaurus_is_indexed_when_it_is_first_asked_for(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "note.txt").write_text("The virus spreads.", "utf-8")
    cache = {"KEYWRIGHT_CACHE": str(tmp_path / "cache")}
    wanted = ("extract", "note.txt", "--vocabulary", name, "--only-vocabulary", "--format", "jsonl")
    first, second = (keywright(*wanted, cwd=tmp_path, **cache) for _ in range(2))
    assert [each["concept"]["uri"] for each in json.loads(first.stdout)["keyphrases"]] == ["urn:ex:1"]
    assert f"note: {name}: " in first.stderr.decode()
    assert "indexed" in first.stderr.decode()
    assert second.stdout == first.stdout
    assert "indexed" not in second.stderr.decode()


def test_a_damaged_index_in_the_cache_is_built_again(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "subjects.tsv").write_text("<urn:ex:1>\tviruses\n", "utf-8")
    for _ in range(2):
        with pytest.warns(UserWarning, match="indexed"):
            prediction = kw.extract("The virus spreads.", vocabulary=tmp_path / "subjects.tsv", only_vocabulary=True)
        assert prediction.texts == ("virus",)
        (card,) = (tmp_path / "cache").rglob("card.json")
        card.write_text("[", "utf-8")
