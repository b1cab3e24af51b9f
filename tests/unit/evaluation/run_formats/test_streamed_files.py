"""Large run files, scored as they are read: every report is the one of files that are read as a whole."""

import json
import random
from dataclasses import replace

import pytest
from tests.builders import plain_ids

import keywright as kw
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction, Run
from keywright.core.records import run_lines
from keywright.core.signatures import fingerprint_texts
from keywright.evaluation.run_formats import pairing
from keywright.evaluation.scoring import counting
from keywright.reading.limits import Limits
from keywright.testing.promises import equal

PROTOCOLS = ("keywright-1", "keywright-1-ranked", "kpg", "kpg-strict")
WORDS = [f"{first}{second}" for first in ("tide", "gauge", "storm", "sea") for second in ("", "s", "level", "drift")]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A run with failures, and its gold."""
    folder, chance = tmp_path_factory.mktemp("files"), random.Random(1)  # noqa: S311 - made-up texts
    gold, outcomes = folder / "gold.jsonl", []
    with gold.open("w") as file:
        for number in range(230):
            phrases = [" ".join(chance.choices(WORDS, k=2)) for _ in range(9)]
            record = {"id": f"d{number}", "text": ". ".join(phrases[:7]), "keyphrases": phrases[4 + number % 5 :]}
            file.write(json.dumps(record) + "\n")
            if number % 31 == 30:
                outcomes.append(Failure(f"d{number}", "too_large", "large"))
            else:
                listed = chance.sample(phrases, chance.randrange(9))
                outcomes.append(Prediction(f"d{number}", tuple(Keyphrase(text, -n) for n, text in enumerate(listed))))
    texts = fingerprint_texts(labelled.document for labelled in kw.dataset(gold))
    predictions, failures = (tuple(o for o in outcomes if isinstance(o, kind)) for kind in (Prediction, Failure))
    run = Run("s|v1", "", "a", predictions, failures, texts=texts)
    return folder, run, gold


def scored(folder, run, gold, monkeypatch, *, streamed, protocols=PROTOCOLS):
    path = folder / "run.jsonl"
    path.write_text("".join(run_lines(run)))
    monkeypatch.setattr(pairing, "LARGE", 0 if streamed else 1 << 60)
    return kw.score_all(path, protocols, gold, intervals=60)


def test_reports_are_those_of_whole_files(files, monkeypatch):
    folder, run, gold = files
    whole = scored(folder, run, gold, monkeypatch, streamed=False)
    assert whole[0].skipped["failed"] == 7
    monkeypatch.setattr(pairing, "_BLOCK", 40)
    monkeypatch.setattr(counting, "_AT_ONCE", 37)
    reports = scored(folder, run, gold, monkeypatch, streamed=True)
    assert [list(report.skipped) for report in reports] == [list(report.skipped) for report in whole]
    assert all(equal(plain_ids(ours), theirs) for ours, theirs in zip(reports, whole, strict=True))


def test_documents_without_an_answer_and_other_texts_are_noted(files, monkeypatch):
    folder, run, gold = files
    for changed in (replace(run, predictions=run.predictions[3:]), replace(run, texts="0" * 16)):
        whole = scored(folder, changed, gold, monkeypatch, streamed=False, protocols=("kpg-strict",))
        reports = scored(folder, changed, gold, monkeypatch, streamed=True, protocols=("kpg-strict",))
        assert all(equal(plain_ids(ours), theirs) for ours, theirs in zip(reports, whole, strict=True))
    assert "other texts" in reports[0].warnings[-1]


def test_a_run_in_another_order_is_read_as_a_whole_unless_it_is_too_large(files, monkeypatch):
    folder, run, gold = files
    backwards = replace(run, predictions=run.predictions[::-1])
    (whole,) = scored(folder, backwards, gold, monkeypatch, streamed=False, protocols=("keywright-1",))
    (report,) = scored(folder, backwards, gold, monkeypatch, streamed=True, protocols=("keywright-1",))
    assert equal(report, whole)
    monkeypatch.setenv("KEYWRIGHT_LIMITS", "file_bytes=1000")
    assert Limits().file_bytes == 1000
    with pytest.raises(BadRecord, match="does not have the order of the gold"):
        scored(folder, backwards, gold, monkeypatch, streamed=True, protocols=("keywright-1",))
