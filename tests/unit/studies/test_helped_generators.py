"""Helped generators: what they start from, with which options, and the texts of their first training."""

import json

import pytest

import keywright as kw
from keywright.core.errors import BadParameter, MissingData, UnknownName
from keywright.core.zstandard import zstd
from keywright.experiments import small_generators
from studies.generators import helped


@pytest.fixture
def mirror_of_titles(tmp_path, monkeypatch):
    path = tmp_path / helped.TEXTS_FILE
    path.parent.mkdir(parents=True)
    with zstd.open(path, "wt", encoding="utf-8") as lines:
        for number in range(5):
            lines.write(json.dumps({"title": f"Tide {number}", "abstract": f"Gauge {number}.", "source": "x"}) + "\n")
    monkeypatch.setenv("KEYWRIGHT_MIRROR", str(tmp_path))
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("mirror_of_titles")
def test_every_second_text_is_a_document_with_an_id():
    assert [json.loads(line) for line in helped.list_texts()] == [
        {"id": "text-0", "title": "Tide 0", "text": "Gauge 0."},
        {"id": "text-1", "title": "Tide 2", "text": "Gauge 2."},
        {"id": "text-2", "title": "Tide 4", "text": "Gauge 4."},
    ]


@pytest.mark.usefixtures("mirror_of_titles")
def test_one2set_starts_from_the_titles_of_one2seq_which_are_learned_once(monkeypatch):
    calls = []

    def train(untrained, _data, folder, _profile, *, recipe, start=None, **_: object):
        calls.append((untrained.name, folder.name, recipe.get("objective"), recipe["steps"], start and start.name))
        assert recipe["token_shift"]
        folder.mkdir(parents=True)
        (folder / "card.json").write_text("{}")

    monkeypatch.setattr(helped, "train_generator", train)
    monkeypatch.setattr(helped, "load_test_sets", dict)
    monkeypatch.setattr(small_generators, "read_generator_card", lambda _: {"data": [], "profile": {}})
    monkeypatch.setattr(small_generators, "DATA", ())
    for name in ("one2set", "one2seq"):
        with pytest.raises(BadParameter, match="other values of profile"):  # of the card written here
            helped.compute_rows([name], find=lambda each: kw.system(each).__class__)
    assert calls == [
        ("one2seq", "one2seq-titles-small", "titles", helped.TEXTS // 32, None),
        ("one2set", "one2set-helped-small", None, small_generators.DOCUMENTS // 32, "one2seq-titles-small"),
        ("one2seq", "one2seq-helped-small", None, small_generators.DOCUMENTS // 32, "one2seq-titles-small"),
    ]


def test_missing_texts_and_generators_without_a_help_are_told(monkeypatch):
    monkeypatch.delenv("KEYWRIGHT_MIRROR", raising=False)
    with pytest.raises(MissingData, match="title_abstract"):
        list(helped.list_texts())
    with pytest.raises(UnknownName, match="exhird"):
        helped.compute_rows(["exhird"], find=lambda _: object)
