"""Summaries scored and reported, from Python and on the command line."""

import gzip
import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, MissingData, PartlyDone
from keywright.summaries.rouge.evaluators import Rouge155

PAIRS = ROOT / "docs" / "examples" / "summaries.jsonl"
BEST = "kpeval:combine=best"


@pytest.fixture
def odd(tmp_path):
    """A file with an empty summary, a repeated line, a gap, a line that is not JSON and one that is not a pair."""
    good = {"id": "t1", "system": "a", "summary": "Tides rise.", "references": ["Tides rise and fall."]}
    lines = [good, good, good | {"system": "b", "summary": ""}, good | {"id": "t2"}, good | {"id": "t3", "summary": 1}]
    path = tmp_path / "odd.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + "{\n", "utf-8")
    return path


def test_scores_are_those_of_python(tmp_path):
    done = keywright("summaries", "score", PAIRS, "-e", "kpeval", "-e", BEST, "--json", "-o", "s.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    records = json.loads(done.stdout)
    assert records == kw.score_summaries(PAIRS, ["kpeval", BEST]).as_json()
    assert [json.loads(line) for line in (tmp_path / "s.jsonl").read_text("utf-8").splitlines()] == records
    assert len(records) == 2 * 9
    assert records[0].keys() == {"id", "system", "evaluator", "signature", "values", "notes", "human"}


def test_the_careful_summariser_beats_the_careless_one():
    table = keywright("summaries", "score", PAIRS).stdout.decode()
    assert table.index("careful") < table.index("lead") < table.index("careless")


def test_odd_lines_cost_themselves_only(odd):
    done = keywright("summaries", "score", odd, "--json")
    assert done.returncode == 1
    records = json.loads(done.stdout)
    assert [(record["id"], record.get("system")) for record in records[:3]] == [("t1", "a"), ("t1", "b"), ("t2", "a")]
    assert [record["error"]["code"] for record in records[3:]] == ["bad_record", "bad_record"]
    said = done.stderr.decode()
    for part in (
        "odd.jsonl:5",
        "odd.jsonl:6",
        "1 repeated lines left out, the first of each kept: a on t1",
        "b has no summary of 1 of 2 topics: t2",
        "1 of 3 scores: the summary is empty",
        "1 of 3 scores: no keyphrase in the summary: it shares none",
    ):
        assert part in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["score", "nowhere.jsonl"], 4, "there is no file nowhere.jsonl"),
        (["score"], 2, "no file of pairs"),
        (["score", PAIRS, "-e", "kpevl"], 2, "did you mean 'kpeval'"),
        (["score", PAIRS, "-e", "kpeval:combine=worst"], 2, "one of pooled, mean, best"),
        (["score", PAIRS, "-e", "kpeval:extractor=nothing"], 2, "nothing"),
        (["score", PAIRS, "-e", "kpeval:extractor=tfidf,weight=probability"], 2, "has no probability"),
        (["report", PAIRS], 2, "no file to write the page to"),
        (["report", PAIRS, "--json", "--system", "nobody"], 2, "no summary by system nobody"),
    ],
)
def test_wrong_use_is_explained(arguments, status, said):
    done = keywright("summaries", *arguments)
    assert done.returncode == status
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_packed_files_and_standard_input_are_read(tmp_path):
    length = ("-e", "length", "--json")
    packed = tmp_path / "pairs.jsonl.gz"
    packed.write_bytes(gzip.compress(PAIRS.read_bytes()))
    expected = keywright("summaries", "score", PAIRS, *length).stdout
    assert keywright("summaries", "score", packed, *length).stdout == expected
    assert keywright("summaries", "score", "-", *length, stdin=PAIRS.read_bytes()).stdout == expected


def test_evaluators_are_listed():
    listed = {
        each["name"]: each["options"] for each in json.loads(keywright("summaries", "score", "--list", "--json").stdout)
    }
    assert listed["kpeval"]["combine"] == "one of pooled, mean, best"
    assert b"pooled" in keywright("summaries", "score", "--list").stdout


def test_a_report_is_a_page_or_json(tmp_path):
    page = tmp_path / "report.html"
    done = keywright("summaries", "report", PAIRS, "--system", "careless", "-o", page, "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["systems"]["kpeval"]["careful"]["R"] > report["systems"]["kpeval"]["careless"]["R"]
    assert {summary["system"] for summary in report["summaries"]} == {"careless"}
    assert report["summaries"][0]["counts"]["invented"] > 0
    html = page.read_text("utf-8")
    assert html.count("<h3>") == 3
    assert "<script" not in html


def test_bad_pairs_raise_in_python(tmp_path):
    with pytest.raises(MissingData):
        kw.score_summaries(tmp_path / "nowhere.jsonl")
    with pytest.raises(PartlyDone, match="none of 1 lines is a pair"):
        kw.score_summaries([{"id": "t"}])
    with pytest.raises(BadParameter, match="no summary by system x"):
        kw.report_summaries(PAIRS, chosen=("x", None))


def test_a_summary_of_a_million_characters_is_scored():
    text = "tide gauges measure the sea level " * 30_000
    pair = {"id": "t", "system": "a", "summary": text, "references": ["Tide gauges measure the sea level."]}
    assert kw.score_summaries([pair]).scores[0].values["R"] == 1


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """A file of scores under three evaluators, with people's grades."""
    path = tmp_path_factory.mktemp("scores") / "scores.jsonl"
    done = keywright("summaries", "score", PAIRS, "-e", "kpeval", "-e", "rouge155", "-e", "length", "-o", path)
    assert done.returncode == 0
    return path


def test_correlations_are_rows(scores):
    done = keywright("summaries", "correlate", scores, "--json", "--samples", "50")
    assert (done.returncode, done.stderr) == (0, b"")
    rows = json.loads(done.stdout)
    assert rows[0].keys() == {"evaluator", "with", "level", "coefficient", "value", "interval", "n", "left_out"}
    # three evaluators with people's grades and with each other, at three levels, by three coefficients
    assert len(rows) == (3 + 3) * 9
    assert {row["with"] for row in rows[:27]} == {"human:coverage"}
    kendall = [row for row in rows if (row["level"], row["coefficient"]) == ("system", "kendall")]
    assert kendall[0]["value"] == 1  # careful, lead, careless under kpeval and by people


def test_evaluators_are_compared_and_drawn(scores, tmp_path):
    arguments = ("--compare", "--level", "summary", "--coefficient", "pearson", "--samples", "50", "--plots", tmp_path)
    done = keywright("summaries", "correlate", scores, *arguments)
    assert done.returncode == 0
    printed = done.stdout.decode()
    for part in ("Rank of each system", "50 resamples", "p (Holm)"):
        assert part in printed
    assert {path.name for path in tmp_path.iterdir()} == {
        "evaluators-summary-pearson.svg",
        "evaluators-summary-pearson.png",
    }


def test_length_is_partialled_out(scores):
    done = keywright("summaries", "correlate", scores, "--json", "--controlled-for", "length", "--level", "topic")
    rows = json.loads(done.stdout)
    assert {row["controlled_for"] for row in rows} == {"length"}
    assert not any("length" in (row["evaluator"], row["with"]) for row in rows)


@pytest.mark.parametrize(
    ("lines", "arguments", "status", "said"),
    [
        ([], [], 3, "holds no"),
        (["{"], [], 3, "line 1 of scores.jsonl"),
        (['{"id": "t", "system": "s", "evaluator": "e"}'], [], 3, "has no key 'values'"),
        (None, ["--value", "X"], 2, "kpeval has no value X"),
        (None, ["--controlled-for", "lenght"], 2, "did you mean 'length'"),
        (None, ["--samples", "0"], 2, "0 resamples"),
    ],
)
def test_wrong_scores_are_explained(scores, tmp_path, lines, arguments, status, said):
    path = scores
    if lines is not None:
        path = tmp_path / "scores.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    done = keywright("summaries", "correlate", path.name, *arguments, cwd=path.parent)
    assert done.returncode == status
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_one_system_or_one_column_has_no_correlation():
    pair = {"id": "t", "system": "a", "summary": "Tides rise.", "references": ["Tides rise."]}
    with pytest.raises(BadParameter, match="only one system"):
        kw.correlate_summaries(kw.score_summaries([pair], ["kpeval", "length"]))
    with pytest.raises(BadParameter, match="nothing to correlate with"):
        kw.correlate_summaries(kw.score_summaries([pair, pair | {"system": "b"}]))


def test_evaluators_of_one_name_have_scores_of_their_own():
    pair = {"id": "t", "system": "a", "summary": "Tides rise.", "references": ["Tides rise and fall."]}
    scores = kw.score_summaries([pair], [Rouge155("1"), Rouge155("2"), "rouge155:measure=L"]).scores
    assert [score.evaluator for score in scores] == ["rouge155", "rouge155 2", "rouge155:measure=L"]
    assert [score.values["R"] for score in scores] == [0.5, 0.33333, 0.5]  # 2 of 4 words, 1 of 3 pairs, 2 in order
