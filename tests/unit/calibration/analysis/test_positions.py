"""Positions in phrases and documents, and perplexities: by hand, and against the published and the measured numbers."""

from math import log

import numpy as np
import pytest
from tests.builders import run
from tests.unit.calibration.labelled_runs import judged_columns

from keywright.calibration.analysis.positions import (
    average_by_place,
    count_gold_by_fifth,
    list_token_probabilities,
    list_word_probabilities,
    make_histogram,
    measure_recall_by_fifth,
)
from keywright.calibration.judging import decide
from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.evaluation.run_formats.files import iterate_records, split_title
from keywright.evaluation.run_formats.format import Source
from keywright.evaluation.run_formats.reading import read_run_file
from keywright.reading.limits import Limits, unpack


def phrase(text, tokens, probabilities):
    return Keyphrase(
        text, 0.0, generation=Generation(tuple(tokens), tuple(map(log, probabilities)), words=len(text.split()))
    )


def labelled(text, gold):
    return LabelledDocument(split_title("d", text), tuple(GoldKeyphrase((one,), "gold") for one in gold))


def judge(one, given):
    return decide(run({"d": given}), [one])


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("web grid", ["web", "grid"], [0.5, 0.25]),
        ("web", [" w", "eb"], [0.125]),
        ("web grid", [" w", "eb", " grid"], [0.125, 0.5]),
        ("s p <digit>", ["▁", "s", "▁", "p", "<digit>"], [0.125, 0.5 * 0.125, 0.5]),
        ("image", ["▁image", "▁"], [0.5]),
    ],
)
def test_pieces_become_words(text, tokens, expected):
    probabilities = [0.5, 0.25, 0.5, 0.125, 0.5][: len(tokens)]
    assert list_word_probabilities(phrase(text, tokens, probabilities)) == pytest.approx(expected)


def test_numbers_for_tokens_do_not_become_words():
    with pytest.raises(BadRecord, match="do not make up the phrase"):
        list_word_probabilities(phrase("web", ["813"], [0.5]))


def test_mean_probability_by_place_of_a_class():
    one = labelled("web grid", ["web"])
    phrases = [
        phrase("web grid", [" w", "eb", " grid"], [0.5, 0.5, 0.75]),
        phrase("web", ["web"], [0.25]),
        phrase("uddi", ["uddi"], [0.9]),
    ]
    given = judge(one, phrases)
    tokens = average_by_place([given], present=True)
    assert (tokens.size[:2].tolist(), tokens.mean[:2].tolist()) == ([2, 1], pytest.approx([0.375, 0.5]))
    words = average_by_place([given, given], present=True, words=True)
    assert words.size.tolist() == [4, 2, 0, 0, 0]
    assert words.mean[:2] == pytest.approx([0.25, 0.75])
    assert np.isnan(words.mean[2])
    assert average_by_place([given], present=False).size.tolist() == [1, 0, 0, 0, 0]
    with pytest.raises(BadRecord, match="'web' has no token probabilities"):
        average_by_place([judge(one, [Keyphrase("web", 1.0)])], present=True)


def test_gold_by_fifth_by_hand():
    text = "ab cd ef gh ij kl mn"  # 20 characters, already stems
    assert count_gold_by_fifth([labelled(text, ["ab", "b c", "ef", "kl", "mn", "xy", "ab"])]).tolist() == [
        3,
        1,
        0,
        1,
        1,
    ]
    assert count_gold_by_fifth([]).tolist() == [0] * 5


def test_published_fifths_divide_by_the_unstemmed_text():
    # 7 of the 11 characters of "servic grid" is in the fourth fifth, 7 of 17 in the third.
    one = labelled("services gridding", ["grid"])
    assert count_gold_by_fifth([one]).tolist() == [0, 0, 0, 1, 0]
    assert count_gold_by_fifth([one], as_published=True).tolist() == [0, 0, 1, 0, 0]


def test_published_fifths_take_the_mark_for_text():
    one = labelled("ab <eos> cd ef", ["cd"])
    assert count_gold_by_fifth([one]).tolist() == [0, 1, 0, 0, 0]  # 3 of 8
    assert count_gold_by_fifth([one], as_published=True).tolist() == [0, 0, 0, 1, 0]  # 9 of 14


def test_recall_by_fifth_by_hand():
    one = labelled("ab cd ef gh ij kl mn", ["ab", "cd", "kl", "mn", "xy"])
    found = measure_recall_by_fifth(judge(one, [Keyphrase("ab", 3.0), Keyphrase("mn", 2.0), Keyphrase("xy", 1.0)]))
    assert found.size.tolist() == [2, 0, 0, 1, 1]
    assert found.mean[[0, 3, 4]].tolist() == [0.5, 0, 1]
    assert np.isnan(found.mean[[1, 2]]).all()


# Table 3 (specs/neural-kpg.md 3.2, 3.3).
PUBLISHED = {
    "inspec": [1326, 845, 686, 602, 173],
    "krapivin": [706, 206, 182, 159, 59],
    "semeval": [346, 126, 103, 54, 20],
}
CORRECT = {
    "inspec": [1223, 755, 621, 544, 489],
    "krapivin": [677, 187, 143, 159, 146],
    "semeval": [327, 121, 86, 71, 44],
}


@pytest.mark.data
@pytest.mark.parametrize("data", PUBLISHED)
def test_gold_by_fifth_of_the_collections(data, mirror):
    given = read_run_file(mirror / "kpg_predictions" / f"one2seq_{data}.jsonl.zst").labelled
    assert count_gold_by_fifth(given, as_published=True).tolist() == PUBLISHED[data]
    assert count_gold_by_fifth(given).tolist() == CORRECT[data]


@pytest.mark.data
@pytest.mark.parametrize("model", ["bart", "t5_seed1", "one2set"])
def test_words_of_the_released_predictions(model, mirror):
    path = mirror / "kpg_predictions" / f"{model}_inspec.jsonl.zst"
    source = Source(path.name, unpack(path.read_bytes(), path.name, Limits()))
    given = {
        record["doc_id"]: {one["rank"]: one["word_probs"] for one in record["phrases"]}
        for _, record in iterate_records(source, "")
    }
    for prediction in read_run_file(path).predictions.predictions:
        for one in prediction.keyphrases:
            expected = given[prediction.document_id][int(-one.score)]
            assert list_word_probabilities(one) == pytest.approx(expected, rel=1e-6, abs=1e-9), one
            assert len(list_token_probabilities(one)) == len(one.generation.tokens)


def phrases(confidence, present):
    return judged_columns(confidence, np.zeros(len(confidence)), present=present)


def test_median_and_histogram_by_hand():
    given = phrases([1.0, 0.5, 0.4, 0.1, 0.25, 0.05], [1, 1, 1, 1, 0, 0])
    found = make_histogram(given, present=True)
    assert found.median == pytest.approx(2.25)
    assert found.edges.tolist() == [1 + at / 2 for at in range(19)]
    # 1, 2 and 2.5; the fourth, 10, is at the last edge.
    assert (found.counts.tolist(), found.above) == ([1, 0, 1, 1, *[0] * 14], 1)
    assert make_histogram(given, present=False).median == pytest.approx(12)


@pytest.mark.parametrize(
    ("confidence", "middle"), [(0.4, "2.50"), (1, "1.00"), (1e-4, "1.0e+04"), (1e-120, "1.0e+120")]
)
def test_a_median_stays_short(confidence, middle):
    assert make_histogram(phrases([confidence], [1]), present=True).median_text == middle
    assert make_histogram(phrases([confidence], [1]), present=False).median_text == "-"


def test_no_phrases_have_no_median():
    found = make_histogram(phrases([0.5], [1]), present=False)
    assert (found.median, found.counts.tolist(), found.above) == (None, [0] * 18, 0)


@pytest.mark.parametrize("confidence", [0.0, 1.5, -1.0, np.nan])
def test_scores_have_no_perplexity(confidence):
    with pytest.raises(BadParameter, match="has no perplexity"):
        make_histogram(phrases([confidence], [1]), present=True)
