"""keywright kpg score: options, files, complaints. That its numbers are the references' is shown in parity/."""

import json

import pytest
from typer.testing import CliRunner

from keywright.faces.cli.app import app


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "src").write_text("nets <eos> neural nets\nart <eos> part\n")
    (tmp_path / "trg").write_text("net;x\nart\n")
    (tmp_path / "pred").write_text("nets;y\nart;x\n")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def run(folder, *options: str):
    sides = [text for side in ("src", "trg", "pred") for text in (f"-{side}", str(folder / side))]
    return CliRunner().invoke(app, ["kpg", "score", *sides, *options])


def test_files_go_into_the_folder_and_nowhere_else(files):
    done = run(files, "-exp_path", str(files / "out"), "-all_ks", "5", "M", "-export_filtered_pred")
    assert done.exit_code == 0
    assert done.stdout.startswith("Total #samples: 2\t # samples with present keyphrases: 2")
    assert sorted(path.name for path in (files / "out").iterdir()) == [
        "predictions_filtered.txt",
        "results_log_5_M_5_10_M_5_10_50_M.tsv",
        "results_log_5_M_5_10_M_5_10_50_M.txt",
    ]
    assert (files / "out" / "predictions_filtered.txt").read_text() == "net\nart\n"
    assert list((files / "here").iterdir()) == []


def test_options_that_change_nothing_are_taken(files):
    other = files / "other"
    done = run(files, "-exp_path", str(files / "out"), "-exp", "x", "-filtered_pred_path", str(other), "-debug")
    assert done.exit_code == 0
    assert not other.exists()


def test_without_a_folder_files_go_here_as_with_the_script(files):
    assert run(files, "-tune_f1_v", "--quiet").stdout == ""
    assert [path.name for path in (files / "here").iterdir()] == ["tune_v_output.txt"]


def test_numbers_for_machines(files):
    done = run(files, "--json", "-exp_path", str(files / "out"), "-disable_extra_one_word_filter")
    found = json.loads(done.stdout)
    # Two documents with one hit of two predictions, and recall 1/2 and 1/1.
    assert found["macro_avg_p@M_all"] == 1 / 2
    assert found["macro_avg_r@M_all"] == 3 / 4


def test_the_scripts_longer_names_of_files(files):
    sides = [text for side in ("src", "trg", "pred") for text in (f"-{side}_file_path", str(files / side))]
    assert CliRunner().invoke(app, ["kpg", "score", *sides, "-exp_path", str(files / "out")]).exit_code == 0


def test_files_of_different_length(files):
    (files / "pred").write_text("nets\n")
    done = run(files, "-exp_path", str(files / "out"))
    assert done.exit_code == 0
    assert "the last 1 lines of the longest file were left out" in done.stderr
    assert "left out" not in run(files, "-exp_path", str(files / "out"), "--quiet").stderr
    refused = run(files, "-exp_path", str(files / "other"), "--require-same-length")
    assert refused.exit_code == 3
    assert not (files / "other").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-all_ks", "5", "X"), "-all_ks X"),
        (("-all_ks", "0"), "-all_ks 0"),
        (("-num_preds", "0"), "-num_preds 0"),
        (("-no_such_option",), "unrecognized arguments"),
        (("--convention", "kpeval-exact", "--k-list", "5,k"), "--k-list k"),
    ],
)
def test_wrong_options_are_told(files, options, said):
    done = run(files, *options)
    assert done.exit_code == 2
    assert said in done.stderr
    assert list((files / "here").iterdir()) == []


def test_conventions_print_and_write_nothing(files):
    for convention in ("meng", "kpeval-exact", "kpeval-approximate"):
        plain, machine = run(files, "--convention", convention), run(files, "--convention", convention, "--json")
        values = json.loads(machine.stdout)
        assert plain.stdout == "".join(f"{name}\t{value}\n" for name, value in values.items())
    assert list((files / "here").iterdir()) == []


def test_the_help_names_the_scripts_options():
    told = CliRunner().invoke(app, ["kpg", "score", "--help"]).stdout
    for option in ("-exp_path", "-all_ks", "-match_by_str", "--convention"):
        assert option in told


def test_corrections_of_quirks(files):
    (files / "pred").write_text("\nart;part;x\n")
    (files / "trg").write_text("\nart\n")
    ks = ("-all_ks", "M", "-exp_path", str(files / "out"), "--json")
    # The empty prediction equals the empty gold: 1/1 and, of art alone, 1/1.
    assert json.loads(run(files, *ks).stdout)["macro_avg_p@M_all"] == 1
    # Without empty phrases the first document has neither predictions nor gold.
    assert json.loads(run(files, *ks, "--empty-line", "none").stdout)["macro_avg_p@M_all"] == 1 / 2
    # Of single words two stay: art is right, part is wrong.
    assert json.loads(run(files, *ks, "--one-word-limit", "2").stdout)["macro_avg_p@M_all"] == 3 / 4
