"""``keywright inspec``: options as the old tool takes them, corrections one by one, messages and exit codes."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from keywright.faces.cli.app import app

TITLES = [
    "Exact match", "Part of match", "Exact match on lower case form", "Part of match on lower case form",
    "Exact match on lower case lemma form", "Part of match on lower case lemma form",
    "Exact match on lower case stem form", "Part of match on lower case stem form",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("g", "p", "out"):
        (tmp_path / folder).mkdir()


def put(name: str, content: str | bytes) -> None:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)


def called(*arguments: str):
    return CliRunner().invoke(app, ["inspec", *arguments])


def numbers(*corrections: str, command: str = "eval", kind: int = 0) -> list[str]:
    """Precision, recall and F1 of one block, as printed."""
    done = called(command, "-g", "g", "-p", "p", *corrections)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[::4] == [f"{title}:" for title in TITLES]
    return [line.split("\t")[2] for line in lines[4 * kind + 1 : 4 * kind + 4]]


def test_integer_zero_and_true_zero():
    put("g/1.uncontr_in", "a")
    put("p/1.res", "")
    assert numbers() == ["0", "0.0", "0"]
    put("p/1.res", "b\n")
    assert numbers() == ["0.0", "0.0", "0"]
    assert numbers("--format", "fixed") == ["0.000000", "0.000000", "0.000000"]
    put("p/1.res", "b\nc\na\n")
    assert numbers() == ["0.3333333333333333", "1.0", "0.5"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", "-g", "g", "-p", "p"],
        ["eval", "-gg", "-pp"],
        ["eval", "--groundTruth=g", "--predicted", "p/"],
        ["eval", "--g", "g", "--p", "p"],  # no correction makes an old prefix ambiguous
    ],
)
def test_options_as_the_old_tool_takes_them(arguments):
    put("g/1.uncontr_in", "a")
    put("p/1.res", "a")
    done = called(*arguments)
    assert done.exit_code == 0
    assert done.stdout.startswith("Exact match:\n\tprecision\t1.0\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "usage"),
        (["eval", "-g", "g"], "required"),
        (["eval", "-g", "g", "-p", "p", "--zzz"], "--zzz"),
        (["eval", "-g", "g", "-p", "p", "--skip"], "--skip"),  # corrections have no short forms
        (["keywords", "-d", "g", "-r", "out", "--modern"], "--modern belongs to eval"),
        (["other"], "other"),
        (["eval", "-g", "g", "-p", "p", "--missing", "zero"], "zero"),
    ],
)
def test_wrong_usage_is_told_on_standard_output_and_ends_with_1(arguments, message):
    done = called(*arguments)
    assert done.exit_code == 1
    assert message in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", [["-h"], ["--help"], ["eval", "-h"], ["keywords", "--he"]])
def test_help_ends_with_0(arguments):
    done = called(*arguments)
    assert done.exit_code == 0
    assert "Example: keywright inspec" in done.stdout


def test_a_missing_answer_file_ends_the_run_unless_it_counts_as_empty():
    put("g/1.uncontr_in", "a")
    put("g/2.uncontr_in", "a")
    put("p/1.res", "a")
    done = called("eval", "-g", "g", "-p", "p")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "p/2.res" in done.stderr
    assert numbers("--missing", "empty") == ["1.0", "0.5", "0.6666666666666666"]


def test_no_gold_is_zeros_with_a_warning_unless_it_is_required():
    for folder in ("g", "absent"):
        done = called("eval", "-g", folder, "-p", "p")
        assert done.exit_code == 0
        assert done.stdout.count("\t0\n") == 24
        assert f"no .uncontr_in files in {folder}" in done.stderr
        done = called("eval", "-g", folder, "-p", "p", "--require-documents")
        assert (done.exit_code, done.stdout) == (1, "")


def test_an_empty_line_is_a_prediction_and_part_of_any_gold():
    put("g/1.uncontr_in", "a b")
    put("p/1.res", "a b\n\n")
    assert numbers() == ["0.5", "1.0", "0.6666666666666666"]
    assert numbers(kind=1) == ["1.0", "2.0", "1.3333333333333333"]
    assert numbers("--skip-blank", kind=1) == ["1.0", "1.0", "1.0"]


def test_part_of_recall_may_count_gold():
    put("g/1.uncontr_in", "red fox; blue")
    put("p/1.res", "red\nfox\nred fox")
    assert numbers(kind=1) == ["1.0", "1.5", "1.2"]
    assert numbers("--part-of-recall", "gold", kind=1) == ["1.0", "0.5", "0.6666666666666666"]
    assert numbers("--part-of-recall", "gold") == numbers()


def test_white_space_inside_a_prediction_is_a_token_unless_collapsed():
    put("g/1.uncontr_in", "red\n\tfox")
    put("p/1.res", " red  fox ")
    assert numbers() == ["0.0", "0.0", "0"]
    assert numbers("--collapse-space") == ["1.0", "1.0", "1.0"]


def test_a_byte_order_mark_sticks_unless_stripped():
    put("g/1.uncontr_in", "a")
    put("p/1.res", "\ufeffa\r\n")
    assert numbers() == ["0.0", "0.0", "0"]
    assert numbers("--strip-bom") == ["1.0", "1.0", "1.0"]


def test_folder_names_are_patterns_only_on_request(tmp_path):
    (tmp_path / "g[1]").mkdir()
    put("g[1]/1.uncontr_in", "a")
    put("p/1.res", "a")
    done = called("eval", "-g", "g[1]", "-p", "p")
    assert done.stdout.startswith("Exact match:\n\tprecision\t1.0\n")
    done = called("eval", "-g", "g[1]", "-p", "p", "--glob-folders")
    assert done.stdout.startswith("Exact match:\n\tprecision\t0\n")


def test_modern_forms():
    put("g/1.uncontr_in", "mouse; it")
    put("p/1.res", "Mice\nIT\n;\n")
    assert numbers(kind=4) == ["0.3333333333333333", "0.5", "0.4"]  # it; Mice stays mice
    assert numbers("--modern", kind=4) == ["1.0", "1.0", "1.0"]  # a sign alone is no prediction
    assert numbers("--modern", kind=6) == ["0.5", "0.5", "0.5"]  # stems: mice is not mouse


def test_gold_of_generation_is_another_file():
    put("g/1.uncontr_in", "a")
    put("g/1.uncontr", "a; b")
    put("p/1.res", "a")
    assert numbers() == ["1.0", "1.0", "1.0"]
    assert numbers(command="evalGen") == ["1.0", "0.5", "0.6666666666666666"]


def test_bytes_that_are_not_utf_8_end_the_run():
    put("g/1.uncontr_in", b"caf\xe9")
    put("p/1.res", "a")
    done = called("eval", "-g", "g", "-p", "p")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "g/1.uncontr_in is not valid UTF-8" in done.stderr


def test_keywords_writes_what_stands_in_the_text():
    put("g/1.abstr", "Nets of trees\n\tand out-of-print Books")
    put("g/1.uncontr", "net; out-of-print book; tree net; ;\n\tnets of\n\ttrees; net")
    put("g/2.abstr", "a")
    put("g/2.uncontr", "b")
    done = called("keywords", "-d", "g", "-r", "out")
    assert (done.exit_code, done.stdout) == (0, "")
    # The lemma table knows nets and books, but not Nets and Books.
    assert Path("out/1.uncontr_in").read_bytes() == b"\n"
    assert Path("out/2.uncontr_in").read_bytes() == b"\n"
    put("g/1.abstr", "nets of trees\n\tand out-of-print books")
    called("keywords", "--data", "g", "--results", "out")
    assert Path("out/1.uncontr_in").read_bytes() == b"net; out - of - print book; nets of trees; net\n"


def test_keywords_without_a_folder_for_results_or_without_texts():
    done = called("keywords", "-d", "g", "-r", "out")
    assert done.exit_code == 0
    assert "nothing was written" in done.stderr
    assert called("keywords", "-d", "g", "-r", "out", "--require-documents").exit_code == 1
    put("g/1.abstr", "a")
    put("g/1.uncontr", "a")
    assert called("keywords", "-d", "g", "-r", "absent").exit_code == 1
