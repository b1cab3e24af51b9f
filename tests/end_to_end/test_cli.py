"""The command line: each verb with good and bad input, exit codes, and one JSON value where machines ask."""

import csv
import io
import json

import pytest
from tests.end_to_end.program import keywright, said, value
from tests.house.tree import ROOT

from keywright import __version__

TIDES = "Tide gauges measure sea level. Tide gauges drift. Sea level rises, and tide gauges see it.\n"
LABELLED = ROOT / "examples" / "abstracts.jsonl"
VERBS = (
    *(
        "extract",
        "run",
        "collection",
        "combine",
        "serve",
        "mcp",
        "vocabulary",
        "score",
        "compare",
        "analyse",
        "reproduce",
        "summaries",
    ),
    *("label", "train", "adapt", "calibrate", "export", "systems", "protocols", "languages"),
    *("doctor", "completion", "datasets"),
    *("inspec", "semeval", "kpg"),
)


@pytest.fixture
def tides(tmp_path):
    path = tmp_path / "tides.txt"
    path.write_text(TIDES)
    return path


def test_help_names_the_verbs_and_every_verb_has_an_example():
    done = keywright("--help")
    assert done.returncode == 0
    listed = [line.split()[1] for line in done.stdout.decode().splitlines() if line.startswith("│ ") and line[2] != " "]
    assert [word for word in listed if not word.startswith("-")] == list(VERBS)
    for verb in VERBS:
        text = keywright(verb, "--help").stdout.decode()
        example = 'eval "$(keywright completion' if verb == "completion" else f"keywright {verb}"
        assert f"Example: {example}" in " ".join(text.split())


def test_verbs_are_in_groups_and_each_has_one_line():
    text = keywright("--help", COLUMNS="80").stdout.decode()
    groups = [line.strip("╭─╮ ") for line in text.splitlines() if line.startswith("╭")]
    assert groups == ["Options", "Extract", "Evaluate", "Train and calibrate", "Look up", "Drop-in replacements"]
    rows = [line.strip("│ ") for line in text.splitlines() if line.startswith("│ ")]
    assert [row.split()[0] for row in rows if not row.startswith("-")] == list(VERBS)
    assert all(row.endswith(".") for row in rows), "no line is broken"


def test_version():
    assert keywright("--version", fresh=True).stdout.decode() == f"keywright {__version__}\n"


def test_extract_prints_a_table(tides):
    done = keywright("extract", tides, "--top", "2", fresh=True)
    assert done.returncode == 0
    text = " ".join(done.stdout.decode().split())  # a long path is on a line of its own
    assert "tides.txt (en, " in text
    assert "tide gauges" in text.lower()
    assert said(done) == ""


def test_extract_explains(tides):
    text = keywright("extract", tides, "--top", "1", "--explain", "--quiet").stdout.decode()
    assert "why    " in text
    assert "»Tide gauges«" in text or "»tide gauges«" in text


def test_extract_json_has_the_keys_of_the_interface(tides):
    (record,) = value(keywright("extract", tides, "--json", "--top", "2"))
    assert list(record) == [
        "id",
        "language",
        "system",
        "keyphrases",
        "coverage",
        "warnings",
        "chosen",
        "assumes",
        "signature",
    ]
    assert record["assumes"] == {"style": "general", "expected": 8.0}
    assert record["id"] == tides.as_posix()
    assert record["language"] == "en"
    assert len(record["keyphrases"]) == 2
    first = record["keyphrases"][0]
    assert list(first) == ["text", "score", "probability", "present", "spans"]
    assert [TIDES[start:end].lower() for start, end in first["spans"]] == [first["text"].lower()] * len(first["spans"])
    (explained,) = value(keywright("extract", tides, "--json", "--explain", "--include-text"))
    assert explained["keyphrases"][0]["evidence"]
    assert explained["text"].strip() == TIDES.strip()


def test_extract_goes_on_after_bad_documents(tides, tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing more")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 20)
    files = (tides, tmp_path / "empty.txt", tmp_path / "broken.pdf", tmp_path / "binary.txt", tmp_path / "none.txt")
    done = keywright("extract", *files, "--json")
    assert done.returncode == 1
    records = value(done)
    assert len(records[0]["keyphrases"]) > 0
    assert [set(record["error"]) for record in records[1:]] == [{"code", "message", "hint"}] * 4
    assert [record["error"]["code"] for record in records[1:]] == [
        "empty_input",
        "broken_file",
        "unsupported_format",
        "unreadable_input",
    ]
    assert "1 document processed, 4 failed" in said(done)


@pytest.mark.parametrize("arguments", [["none.txt"], ["none.txt", "nor-this.txt"], ["."]])
def test_nothing_readable_ends_with_three(tmp_path, arguments):
    done = keywright("extract", *arguments, cwd=tmp_path)
    assert done.returncode == 3
    assert said(done).startswith("error: ")


def test_extract_reads_standard_input():
    (record,) = value(keywright("extract", "-", "--json", stdin=TIDES.encode()))
    assert record["id"] == "stdin"
    lines = b'{"id": "a", "text": "Tide gauges drift."}\nno json\n{"id": "b", "text": "Glaciers melt."}\n'
    done = keywright("extract", "-", "--input-format", "jsonl", "--format", "jsonl", stdin=lines)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["id"] for record in records] == ["a", "stdin:2", "b"]
    assert records[1]["error"]["code"] == "bad_record"
    assert done.returncode == 1


def test_extract_writes_csv_and_files(tides, tmp_path):
    out = tmp_path / "out.csv"
    done = keywright("extract", tides, "--format", "csv", "-o", out, "--top", "3")
    assert (done.returncode, done.stdout) == (0, b"")
    rows = list(csv.reader(io.StringIO(out.read_text())))
    assert rows[0][:5] == ["id", "rank", "keyphrase", "score", "probability"]
    assert [row[1] for row in rows[1:]] == ["1", "2", "3"]
    assert keywright("extract", tides, "-o", tmp_path / "none" / "out").returncode == 2


def test_extract_takes_systems_parameters_and_engines(tides):
    plain = keywright("extract", tides, "--system", "kpminer", "--param", "least_seen=1", "--json")
    parallel = keywright(
        "extract",
        tides,
        "--system",
        "kpminer",
        "--param",
        "least_seen=1",
        "--json",
        "--jobs",
        "2",
        "--engine",
        "processes",
    )
    assert value(plain) == value(parallel)
    assert "least_seen:1" in value(plain)[0]["signature"]


def test_language_is_told_or_given(tmp_path):
    text = "Les marégraphes mesurent le niveau de la mer, et les marégraphes dérivent avec le temps dans les ports."
    (tmp_path / "mer.txt").write_text(text)
    assert value(keywright("extract", tmp_path / "mer.txt", "--json"))[0]["language"] == "fr"
    assert value(keywright("extract", tmp_path / "mer.txt", "--json", "--language", "en"))[0]["language"] == "en"
    assert keywright("extract", tmp_path / "mer.txt", "--language", "French").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["extract", "FILE", "--system", "kp-miner"], "did you mean 'kpminer'"),
        (["extract", "FILE", "--system", "kpminer", "--param", "cutof=3"], "did you mean 'cutoff'"),
        (["extract", "FILE", "--system", "kpminer", "--param", "cutoff=many"], "cutoff takes a whole number"),
        (["extract", "FILE", "--param", "x"], "expected NAME=VALUE"),
        (["extract", "FILE", "--top", "0"], "expected a whole number from 1"),
        (["extract", "FILE", "--system", "nb"], "has not been trained"),
        (["extract", "FILE", "--jobs", "0"], "expected a number from 1"),
        (["systems", "tfidff"], "did you mean 'tfidf'"),
        (["protocols", "semeval"], "did you mean 'semeval2010'"),
        (["datasets", "show", "inspek"], "did you mean 'inspec'"),
        (["run", "tfidf", "inspek/test", "-o", "RUN"], "did you mean 'inspec'"),
        (["train", "counting", str(LABELLED), "-o", "DIR"], "cannot be trained"),
        (["reproduce", "semeval2010-baseline"], "did you mean 'semeval2010-baselines'"),
        (["reproduce"], "there are: "),
    ],
)
def test_wrong_usage_ends_with_two_and_says_what_to_do(tides, tmp_path, arguments, hint):
    named = [str(tides) if one == "FILE" else one for one in arguments]
    done = keywright(*named, cwd=tmp_path)
    assert done.returncode == 2
    assert hint in said(done)
    machine = keywright(*named, "--json", cwd=tmp_path)
    assert set(value(machine)["error"]) == {"code", "message", "hint"}


@pytest.mark.parametrize("arguments", [["extrakt"], ["extract"], ["extract", "x", "--topp", "3"], ["run", "tfidf"]])
def test_what_the_parser_refuses_ends_with_two(arguments):
    done = keywright(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert said(done)


def test_missing_data_ends_with_four(tmp_path):
    nowhere = {"KEYWRIGHT_MIRROR": "", "KEYWRIGHT_CACHE": str(tmp_path)}
    done = keywright("run", "tfidf", "inspec/test", "-o", "RUN", cwd=tmp_path, **nowhere)
    assert done.returncode == 4
    assert "keywright datasets" in said(done)


def test_a_folder_without_a_system_is_missing_data(tides, tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        done = keywright("extract", tides, "--system", folder)
        assert done.returncode == 4
        assert "keywright train SYSTEM DATASET -o DIR" in said(done)


def test_every_verb_is_quiet_when_asked(tides):
    assert keywright("extract", tides, "--quiet").stderr == b""
    for verb in ("systems", "protocols", "datasets", "doctor"):
        done = keywright(verb, "--quiet")
        assert (done.returncode, done.stderr) == (0, b"")


def test_train_run_and_score(tmp_path):
    trained = keywright("train", "nb", LABELLED, "-o", "nb", "--json", cwd=tmp_path)
    assert value(trained)["documents"] == 5
    done = keywright("run", "./nb", LABELLED, "-o", "RUN", "--top", "20", "--json", cwd=tmp_path)
    assert {key: value(done)[key] for key in ("done", "failed", "run")} == {"done": 5, "failed": 0, "run": "RUN"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["RUN", "nb"]
    header, *records = map(json.loads, (tmp_path / "RUN").read_text().splitlines())
    assert list(header)[:4] == ["system", "data", "analyser", "environment"]
    assert len(records) == 5
    report = value(keywright("score", "RUN", "--protocol", "keywright-1", "--json", cwd=tmp_path))
    assert {"protocol", "run", "scored", "skipped", "values", "counts"} <= set(report)
    assert report["run"] == header["system"]
    assert report["scored"] == 5
    several = ("score", "RUN", "--protocol", "keywright-1", "--protocol", "keywright-1", "--per-document")
    assert len(value(keywright(*several, "--json", cwd=tmp_path))) == 2
    assert b"author" in keywright(*several, cwd=tmp_path).stdout


def test_bad_runs_end_with_three(tmp_path):
    (tmp_path / "RUN").write_text('{"system": "s", "data": "d"}\n')
    for run in ("RUN", "none"):
        done = keywright("score", run, "--protocol", "keywright-1", cwd=tmp_path)
        assert done.returncode == 3
    assert "line 1 of RUN" in said(keywright("score", "RUN", "--protocol", "keywright-1", cwd=tmp_path))


def test_lists_are_one_json_value():
    assert {one["name"] for one in value(keywright("systems", "--json"))} >= {"default", "tfidf", "kpminer"}
    assert value(keywright("systems", "kpminer", "--json"))["needs"] == ["stems"]
    assert {one["name"] for one in value(keywright("protocols", "--json"))} >= {"keywright-1", "semeval2010"}
    known = value(keywright("systems", "kpminer", "--json"))["scores"]
    main = next(one for one in known if (one["gold"], one["measure"]) == ("combined", "F@15"))
    assert (main["table"], main["published"]) == ("semeval2010", 25.2)
    assert value(keywright("datasets", "--json")) == value(keywright("datasets", "list", "--json"))
    assert value(keywright("protocols", "semeval2010", "--json"))["rules"]["decimals"] == "2"
    assert {one["name"] for one in value(keywright("datasets", "list", "--json"))} >= {"inspec", "semeval2010"}
    assert value(keywright("datasets", "show", "inspec", "--json"))["licence"]["redistributable"] is False
    assert "semeval2010-baselines" in value(keywright("reproduce", "--list", "--json"))
    for arguments in (["systems"], ["systems", "kpminer"], ["protocols"], ["datasets"], ["datasets", "show", "inspec"]):
        assert keywright(*arguments).returncode == 0


def test_doctor_finds_this_installation_healthy():
    done = keywright("doctor", "--json")
    assert done.returncode == 0
    assert value(done)["self_check"]["ok"]
    assert b"self-check fine" in keywright("doctor").stdout


@pytest.mark.data
def test_the_official_script_and_a_published_table(mirror, goldens):
    gold = goldens / "semeval2010" / "gold"
    for case in ("case01", "case02"):
        folder = goldens / "semeval2010" / case
        done = keywright("semeval", "score", folder / "input.stm", "--gold", gold, "--strict")
        assert done.stdout == (folder / "expected.stdout").read_bytes()
    rows = value(keywright("reproduce", "semeval2010-data", "--json", KEYWRIGHT_MIRROR=str(mirror)))
    assert rows["table"] == "semeval2010-data"
    assert {"system", "measure", "gold", "published", "ours", "difference", "note"} <= set(rows["rows"][0])


def test_semeval_score_corrects_one_accident_at_a_time(tmp_path):
    for kind in ("author", "reader", "combined"):
        (tmp_path / f"test.{kind}.final").write_text("C-1 : a,b,c+d+e\n")
    answers = tmp_path / "answers"
    answers.write_text("C-1 : a,a,e,x,y\n")
    found = {}
    for options in ((), ("--dedup", "candidates"), ("--alternatives", "all"), ("--documents", "auto")):
        done = keywright("semeval", "score", str(answers), "--gold", str(tmp_path), *options)
        assert done.returncode == 0
        found[options[1:]] = done.stdout.decode().splitlines()[3]
    # a counts twice as it stands; without repeats the list has four and never reaches 5; e is a third alternative
    assert found[()].split("\t")[1:3] == ["2", "0.40%"]
    assert found["candidates",].split("\t")[1:3] == ["0", "0.00%"]
    assert found["all",].split("\t")[1:3] == ["3", "0.60%"]
    assert found["auto",].split("\t")[1:3] == ["2", "40.00%"]


def test_standard_output_has_a_name_of_its_own(tides):
    done = keywright("extract", tides, "--format", "csv", "-o", "/dev/stdout", "--quiet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == keywright("extract", tides, "--format", "csv", "--quiet").stdout
