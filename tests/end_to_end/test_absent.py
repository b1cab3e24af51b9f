"""``--absent``: suggested keyphrases behind those of the text, and why there are none."""

import pytest
from tests.docs.snippets import ROOT
from tests.end_to_end.program import keywright, records
from tests.unit.extraction.ranking.test_absent_phrases import PICTURES

import keywright as kw
from keywright.core.errors import BadParameter

FRENCH = (
    "Nous étudions la recherche d'images dans une base de données. Les utilisateurs posent une question avec une image"
    " et le système trouve les images qui lui ressemblent le plus, puis il apprend de leurs réponses."
)


def test_they_come_behind_the_list_which_stays(tmp_path):
    (tmp_path / "pictures.txt").write_text(PICTURES)
    plain = records(keywright("extract", "pictures.txt", "--format", "jsonl", cwd=tmp_path))[0]["keyphrases"]
    both = records(keywright("extract", "pictures.txt", "--format", "jsonl", "--absent", cwd=tmp_path))[0]["keyphrases"]
    absent = both[len(plain) :]
    assert both[: len(plain)] == plain
    assert 1 <= len(absent) <= 5
    for keyphrase in absent:
        assert (keyphrase["present"], keyphrase["spans"]) == (False, [])
        assert 0.01 <= keyphrase["probability"] < 0.5


def test_the_table_marks_them_and_explains(tmp_path):
    (tmp_path / "pictures.txt").write_text(PICTURES)
    done = keywright("extract", "pictures.txt", "--absent", "--explain", cwd=tmp_path)
    assert done.returncode == 0
    assert "not in text" in done.stdout.decode()
    assert "suggested by" in done.stdout.decode()


def test_python_and_batches_give_the_same():
    texts = [PICTURES, (ROOT / "examples/article.txt").read_text("utf-8"), "Tide gauges drift.", FRENCH]
    one_by_one = [kw.extract(text, absent=True) for text in texts]
    together = list(kw.extract(texts, absent=True))
    assert [each.pairs() for each in together] == [each.pairs() for each in one_by_one]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FRENCH, "no absent keyphrases: they are suggested for English texts only, and this one is in language 'fr'"),
        ("Tide gauges drift.", "no absent keyphrases: the text is unlike those that they were learned from"),
        ("for (i = 0; i < n; i++) { a[i] = b[i]; } " * 9, "no absent keyphrases: the text is unlike those"),
    ],
)
def test_why_there_are_none_is_said(text, why):
    result = kw.extract(text, absent=True)
    assert all(keyphrase.present for keyphrase in result.keyphrases)
    assert any(warning.startswith(why) for warning in result.warnings), result.warnings


def test_options_choose_among_them():
    suggested = [each for each in kw.extract(PICTURES, absent=True).keyphrases if not each.present]
    best = suggested[0]
    stopped = kw.extract(PICTURES, absent=True, stop_phrases=[best.text])
    assert best.text not in stopped.texts
    likely = kw.extract(PICTURES, absent=True, min_probability=0.3)
    assert all(keyphrase.present for keyphrase in likely.keyphrases)
    assert "no absent keyphrases: none of those suggested passes the options" in likely.warnings


def test_a_closed_vocabulary_has_no_others(tmp_path):
    (tmp_path / "pictures.txt").write_text(PICTURES)
    (tmp_path / "words.txt").write_text("query\n")
    done = keywright(
        "extract", "pictures.txt", "--absent", "--vocabulary", "words.txt", "--only-vocabulary", cwd=tmp_path
    )
    assert done.returncode == 2
    assert "leave out --absent or --only-vocabulary" in done.stderr.decode()


def test_a_guarantee_does_not_cover_them():
    with pytest.raises(BadParameter, match="min_precision together with absent"):
        kw.extract(PICTURES, absent=True, min_precision=0.5)


def test_any_system_has_them():
    result = kw.extract(PICTURES, "kpminer", absent=True)
    assert any(not keyphrase.present for keyphrase in result.keyphrases)
