"""The default adapted to labelled documents: what is learnt, measured, left out and known before."""

import json
from dataclasses import replace

import pytest
from tests.unit.adapting.papers import PEOPLE, record, written

from keywright.adapting.fine_tuning import Adapted, adapt_to_labelled, find_trained_before
from keywright.core.errors import BadParameter
from keywright.datasets.collection import DataSet, load
from keywright.extraction.systems.default import Default
from keywright.text.languages import ByLanguage


@pytest.fixture(scope="module")
def adapted(tmp_path_factory) -> Adapted:
    return adapt_to_labelled(Default(), load(str(written(tmp_path_factory.mktemp("data")))), ByLanguage())


def test_it_learns_what_people_choose_here(adapted):
    """Who reported, and where: nothing that authors of papers choose."""
    new = ByLanguage().analyse(replace(load_document(record(41)), id="new"))
    person = PEOPLE[41 % len(PEOPLE)]
    assert person not in Default(style="author").extract(new).prediction(2).texts
    found = adapted.system.extract(new).prediction(2)
    assert person in found.texts
    assert all(0 < one.probability < 1 for one in found.keyphrases)


def load_document(given):
    """The document of a record."""
    from keywright import document  # noqa: PLC0415  (one reader of texts is enough)

    return document(given["text"], given["id"])


def test_it_says_what_that_gained(adapted):
    assert adapted.gain.documents == 30
    assert adapted.gain.shown
    assert adapted.gain.changes[0].after > adapted.gain.changes[0].before
    assert (adapted.trained_before, adapted.left_out, adapted.notes) == ((), {}, ())


def test_gold_of_one_kind_has_the_style_that_fits_best(adapted, tmp_path):
    """Before and after are judged in the style in which the shipped trees are best, whatever the gold is called."""
    style = adapted.system.style
    assert set(adapted.system.ranker.probability) == {style}
    renamed = tmp_path / "renamed.jsonl"
    lines = [json.dumps({**record(number), "by": "crowd"}) + "\n" for number in range(30)]
    renamed.write_text("".join(lines))
    again = adapt_to_labelled(Default(), load(str(renamed)), ByLanguage())
    assert again.system.style == style
    assert again.gain.changes == adapted.gain.changes


def test_gold_of_several_kinds_keeps_its_styles(tmp_path):
    path = tmp_path / "both.jsonl"
    kinds = ("author", "reader", "reader")
    lines = [json.dumps({**record(number), "by": kinds[number % 3]}) + "\n" for number in range(15)]
    path.write_text("".join(lines))
    found = adapt_to_labelled(Default(), load(str(path)), ByLanguage()).system
    assert found.style == "reader"
    assert set(found.ranker.probability) <= {"author", "reader"}


def test_knowledge_stays(adapted):
    assert adapted.system.knowledge.background is Default().knowledge.background


def test_other_languages_are_left_out_and_told(tmp_path):
    path = written(tmp_path, 6)
    french = {"id": "fr", "text": "Les réseaux de neurones apprennent.", "language": "fr", "keyphrases": ["réseaux"]}
    path.write_text(path.read_text() + json.dumps(french) + "\n")
    told = []
    found = adapt_to_labelled(Default(), load(str(path)), ByLanguage(), lambda *count: told.append(count))
    assert found.left_out == {"fr": 1}
    assert found.notes == ("documents in other languages than 'en' were left out: fr 1",)
    assert found.gain.documents == 6
    assert told == [(number, 7) for number in range(1, 8)]


def test_a_text_twice_is_one_document(tmp_path):
    path = written(tmp_path, 6)
    again = {**record(0), "id": "again"}
    path.write_text(path.read_text() + json.dumps(again) + "\n")
    assert adapt_to_labelled(Default(), load(str(path)), ByLanguage()).gain.documents == 6


def test_a_language_of_which_nothing_was_learnt(tmp_path):
    path = tmp_path / "zh.jsonl"
    path.write_text('{"id": "a", "text": "\u795e\u7ecf\u7f51\u7edc", "language": "zh", "keyphrases": ["\u795e"]}\n')
    with pytest.raises(BadParameter, match="there is no model for language 'zh'"):
        adapt_to_labelled(Default(), load(str(path)), ByLanguage())


def test_too_few_for_there_are_others(tmp_path):
    path = written(tmp_path, 4)
    french = {"id": "fr", "text": "Les réseaux.", "language": "fr", "keyphrases": ["réseaux"]}
    path.write_text(path.read_text() + json.dumps(french) + "\n")
    with pytest.raises(BadParameter, match=r"4 documents.*other languages than 'en' were left out: fr 1"):
        adapt_to_labelled(Default(), load(str(path)), ByLanguage())


def test_held_out_gold_teaches_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(DataSet, "held_out", True)
    with pytest.raises(BadParameter, match="for reporting only"):
        adapt_to_labelled(Default(), load(str(written(tmp_path))), ByLanguage())


@pytest.mark.data
def test_what_the_trees_have_seen_before(mirror, tmp_path):
    """By name, as part of a collection, or as a file whose documents are the collection's."""
    seen = load("semeval2017/train", mirror)
    assert find_trained_before(seen) == ("semeval2017/train",)
    assert find_trained_before(load(str(written(tmp_path)))) == ()
    note = Adapted(Default(), None, ("semeval2017/train",)).notes  # type: ignore[arg-type]  # no gain is needed
    assert note == ("the shipped trees were trained on semeval2017/train: the values under 'before' are too high",)
