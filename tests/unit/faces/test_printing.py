"""Text on its way to a terminal, and errors on their way out."""

import json
import re
import sys

import pytest
import typer

from keywright.core.errors import BadParameter, BrokenFile, MissingExtra
from keywright.core.json_values import to_json
from keywright.faces.cli.options import parse_pairs
from keywright.faces.cli.printing import guard_verb
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain é 漢 𝛼\tx\n", "plain é 漢 𝛼\tx\n"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("a\x07\x00\rb", "a\\x07\\x00\\rb"),
        ("\u202eevil", "\\u202eevil"),
        ("\udcff", "\\udcff"),
    ],
)
def test_nothing_steers_a_terminal(raw, shown):
    assert escape_controls(raw) == shown


def test_names_in_the_first_column_are_never_broken():
    measures = "P@5, R@5, F@5, P@10, R@10, F@10, P@15, R@15, F@15, P@M, R@M, F@M"
    rows = [("keywright-1-semantic-approximate", "any kind of gold", measures)]
    text = draw_rows(Screen(width=80), ("protocol", "golds", "measures"), rows)
    assert "keywright-1-semantic-approximate" in text
    assert max(map(len, text.splitlines())) <= 80


def test_json_stays_json():
    value = {"a": "\x1b\x9b\u2028\udcff é"}
    text = to_json(value)
    assert json.loads(text) == value
    assert text == '{"a": "\\u001b\\u009b\\u2028\\udcff é"}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(float("nan"))


def test_long_texts_are_folded_and_never_cut():
    head, rows = ("name", "text"), [("1", "x" * 500)]
    text = draw_rows(Screen(width=40), head, rows, ("name",))
    assert text.count("x") == 501
    assert max(map(len, text.splitlines())) <= 40
    rows.append(("2", "[bold]as it stands[/bold] :smile:"))
    assert "[bold]as it stands[/bold] :smile:" in draw_rows(Screen(), head, rows, ("name",))


def test_numbers_without_room_follow_in_further_tables_with_their_texts():
    names = [f"F@{number}" for number in range(1, 13)]
    rows = [("kpminer", *(f"0.{number:04}" for number in range(1, 13)))]
    text = draw_rows(Screen(width=40), ("run", *names), rows, names)
    tables = re.split(r"\n\n+", text.strip("\n"))
    assert [part.split()[0] for part in tables] == ["run"] * 4, "3 columns of 6 and their gaps fit beside the name"
    assert all("kpminer" in part for part in tables)
    assert re.findall(r"0\.\d{4}", text) == [f"0.{number:04}" for number in range(1, 13)]
    assert max(map(len, text.splitlines())) <= 40
    assert "\n\n" not in draw_rows(Screen(width=200), ("run", *names), rows, names).strip("\n")


def ended(error, capsys, **options: bool):
    def verb(**_options: bool):
        raise error

    with pytest.raises(typer.Exit) as caught:
        guard_verb(verb)(**options)
    return caught.value.exit_code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BadParameter("top 0", "a number from 1"), 2, "error: top 0\n  a number from 1\n"),
        (BrokenFile("no PDF"), 3, "error: no PDF\n"),
        (MissingExtra("no spaCy", "pip install"), 4, "error: no spaCy\n  pip install\n"),
        (FileNotFoundError(2, "No such file", "x"), 3, "error: x: No such file\n"),
        (OSError(28, "No space left on device"), 1, "error: No space left on device\n"),
        (MemoryError(), 1, "error: not enough memory\n  give fewer documents or jobs at a time\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_become_a_line_and_an_exit_code(error, code, said, capsys):
    assert ended(error, capsys) == (code, "", said)


def test_machines_get_errors_as_json(capsys):
    code, out, _ = ended(BrokenFile("no PDF", "mend it"), capsys, json=True)
    assert code == 3
    assert json.loads(out) == {"error": {"code": "broken_file", "message": "no PDF", "hint": "mend it"}}


def test_defects_are_one_line_unless_asked_for(capsys, monkeypatch):
    monkeypatch.delenv("KEYWRIGHT_DEBUG", raising=False)
    code, _, said = ended(ZeroDivisionError("a\x1b"), capsys)
    assert code == 1
    assert said.startswith("error: a defect of keywright: ZeroDivisionError: a\\x1b\n  please report it")

    def verb():
        raise ZeroDivisionError

    monkeypatch.setenv("KEYWRIGHT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        guard_verb(verb)()


def test_exits_pass_and_names_stay():
    def verb() -> None:
        """Help text."""
        raise typer.Exit(7)

    assert guard_verb(verb).__doc__ == "Help text."
    with pytest.raises(typer.Exit) as caught:
        guard_verb(verb)()
    assert caught.value.exit_code == 7
    assert "typer" in sys.modules


def test_pairs():
    assert parse_pairs(["a=1", " b = 2=3"]) == {"a": "1", "b": " 2=3"}
    assert parse_pairs(None) == {}
    for bad in (["a"], ["=1"], ["a=1", "a=2"]):
        with pytest.raises(BadParameter):
            parse_pairs(bad)
