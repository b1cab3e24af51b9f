"""``--quality best``: an encoder reads the shortlist in context, everywhere alike, and what it cannot do is said."""

import json
from dataclasses import replace

import pytest
from tests.docs.snippets import ROOT
from tests.end_to_end.program import keywright, records
from tests.unit.extraction.ranking.test_absent_phrases import PICTURES

import keywright as kw
from keywright.core.errors import BadParameter, BrokenFile, MissingExtra
from keywright.extraction.ranking.context_reader import IN_CONTEXT, NAME, ContextReader, shipped_reader
from keywright.extraction.systems.default import Default
from keywright.text.encoders import WindowEncoder

ARTICLE = (ROOT / "examples/article.txt").read_text("utf-8")
FRENCH = "Nous étudions la recherche d'images. Les utilisateurs posent une question et le système trouve des images."
LONG = "\n\n".join(f"{number}. Chapter. {ARTICLE}" for number in range(30))  # a hundred windows


def test_the_command_and_python_give_the_same(tmp_path):
    (tmp_path / "pictures.txt").write_text(PICTURES)
    best = records(keywright("extract", "pictures.txt", "--quality", "best", "--format", "jsonl", cwd=tmp_path))[0]
    standard = records(keywright("extract", "pictures.txt", "--format", "jsonl", cwd=tmp_path))[0]
    prediction = kw.extract(PICTURES, quality="best")
    assert [(each["text"], each["probability"]) for each in best["keyphrases"]] == [
        (each.text, pytest.approx(each.probability)) for each in prediction.keyphrases
    ]
    assert best["keyphrases"] != standard["keyphrases"]


def test_one_by_one_in_batches_and_in_processes_is_the_same():
    texts = [PICTURES, ARTICLE, "Tide gauges drift.", "Two words", "", FRENCH, LONG]
    one_by_one = [kw.extract(text, quality="best") if text else None for text in texts]
    together = list(kw.extract(texts, quality="best"))
    documents = [kw.document(text, f"{number}") if text else None for number, text in enumerate(texts)]
    extraction = kw.prepare(quality="best")
    in_processes = list(kw.extract_each(extraction, filter(None, documents), "processes", 2))
    assert [each.pairs() for each in in_processes] == [each.pairs() for each in one_by_one if each]
    assert [each.pairs() for each, text in zip(together, texts, strict=True) if text] == [
        each.pairs() for each in one_by_one if each
    ]


def test_the_evidence_says_how_a_phrase_fits_the_text():
    prediction = kw.extract(PICTURES, quality="best", explain=True)
    assert all(IN_CONTEXT in each.evidence for each in prediction.keyphrases)
    assert all(each.grounds.reasons[IN_CONTEXT] == (IN_CONTEXT,) for each in prediction.keyphrases)


def test_a_person_reads_it_among_the_reasons(tmp_path):
    (tmp_path / "pictures.txt").write_text(PICTURES)
    done = keywright("extract", "pictures.txt", "--quality", "best", "--explain", cwd=tmp_path)
    assert b"what the text is about" in b" ".join(done.stdout.split())  # close to it, or far from it


def test_texts_in_other_languages_are_read_by_a_reader_of_their_own():
    """Corrections differ between candidates, so that log-odds do not only move together; nothing is left unsaid."""
    german = (ROOT / "examples/languages/de.txt").read_text("utf-8")
    plain, best = (kw.extract(german, quality=each, explain=True) for each in ("standard", "best"))
    moved = {keyphrase.evidence[IN_CONTEXT] for keyphrase in best.keyphrases}
    assert len(moved) > 1
    assert best.warnings == plain.warnings
    assert all(0 < keyphrase.probability < 1 for keyphrase in best.keyphrases)
    scores = {keyphrase.text: keyphrase.score for keyphrase in plain.keyphrases}
    both = [keyphrase for keyphrase in best.keyphrases if keyphrase.text in scores]
    assert both
    for keyphrase in both:
        assert keyphrase.score - scores[keyphrase.text] == pytest.approx(keyphrase.evidence[IN_CONTEXT], abs=1e-6)


def test_without_a_reader_of_other_languages_these_are_ranked_as_usual_and_say_so():
    english = replace(shipped_reader(), of_others=None)
    best = kw.extract(FRENCH, Default(quality="best", reader=english))
    assert best.pairs() == kw.extract(FRENCH).pairs()
    assert "language 'fr': ranked without the encoder, which does not read it" in best.warnings


def test_a_long_text_is_read_in_part_and_every_candidate_stays(tmp_path):
    """Windows that are not read leave candidates as the standard quality ranks them; runs merge no near repeats."""
    (tmp_path / "long.jsonl").write_text(json.dumps({"id": "a", "text": LONG}) + "\n")
    runs = (kw.run("default", tmp_path / "long.jsonl", 10_000, quality=each) for each in ("best", "standard"))
    best, plain = (run.predictions[0] for run in runs)
    assert sorted(best.texts) == sorted(plain.texts)
    assert best.coverage == plain.coverage


def test_styles_and_expected_numbers_work_as_before():
    few, many = (kw.extract(PICTURES, quality="best", style="reader", expect=number, top=8) for number in (5, 20))
    assert few.texts == many.texts
    assert few.keyphrases[0].probability < many.keyphrases[0].probability


def test_the_signature_says_which_quality():
    """A calibrator of one quality does not fit the other."""
    assert kw.prepare(quality="best").signature != kw.prepare().signature
    assert kw.prepare(quality="standard").signature == kw.prepare().signature


def test_what_cannot_have_the_quality_is_refused(tmp_path):
    with pytest.raises(BadParameter, match="quality"):
        kw.extract(PICTURES, "kpminer", quality="best")
    with pytest.raises(BadParameter, match="quality"):
        kw.extract(PICTURES, quality="superb")
    done = keywright("extract", "-", "--quality", "superb", cwd=tmp_path)
    assert done.returncode == 2
    assert b"superb" in done.stderr
    done = keywright(
        "train", "default", str(ROOT / "examples/labelled.jsonl"), "-o", "mine", "--param", "quality=best", cwd=tmp_path
    )
    assert (done.returncode, b"trees of its own" in done.stderr) == (2, True)


def test_a_missing_extra_is_said_before_the_first_document(monkeypatch):
    """It never falls back in silence."""
    fresh = ContextReader(
        WindowEncoder(shipped_reader().encoder.file, shipped_reader().encoder.sha256),
        shipped_reader().head,
        shipped_reader().probability,
        card=shipped_reader().card,
    )
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match="quality best") as raised:
        kw.prepare(Default(quality="best", reader=fresh))
    assert "embed" in raised.value.hint


def test_swapped_weights_are_refused_before_the_first_document(tmp_path):
    folder = shipped_reader().encoder.file.parent
    (tmp_path / f"{NAME}.npz").write_bytes((folder / f"{NAME}.npz").read_bytes())
    content = bytearray((folder / f"{NAME}.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / f"{NAME}.onnx").write_bytes(content)
    with pytest.raises(BrokenFile, match="SHA-256"):
        kw.prepare(Default(quality="best", reader=ContextReader.load(tmp_path / f"{NAME}.npz")))
