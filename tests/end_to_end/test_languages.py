"""Languages: function words are no keyphrases, what there is for each is listed, and notes are short."""

import json
import re
from pathlib import Path

import pytest
from tests.end_to_end.program import keywright

import keywright as kw
from keywright.core.zstandard import zstd

COMMONEST = {
    language: frozenset(words)
    for language, *words in map(
        str.split, Path(__file__).with_name("commonest_words.txt").read_text("utf-8").splitlines()
    )
    if language != "#"
}
"""Function words by code."""


@pytest.mark.data
@pytest.mark.parametrize("language", sorted(COMMONEST))
def test_no_function_word_is_among_the_first_ten(mirror, language):
    with zstd.open(mirror / "languages" / "udhr.jsonl.zst", "rt", encoding="utf-8") as file:
        (record,) = [record for record in map(json.loads, file) if record["language"] == language]
    listed = kw.extract("\n\n".join(record["paragraphs"]), language=language, top=10)
    assert len(listed.keyphrases) == 10
    for text in listed.texts:
        words = re.split(r"\s+", text)
        is_name = len(words) > 1 and words[0].istitle()  # De Forente Nasjoner
        assert is_name or not {words[0].lower(), words[-1].lower()} & COMMONEST[language], text


def test_languages_are_listed():
    records = {record["language"]: record for record in json.loads(keywright("languages", "--json").stdout)}
    assert {*COMMONEST} - {"nb"} <= records.keys()
    keys = ["language", "name", "stop_words", "forms", "word_borders", "trained", "reader", "measured"]
    assert all(list(record) == keys for record in records.values())
    assert records["zh"]["word_borders"] == "icu"
    assert all(record["reader"] for record in records.values())  # one of English, one of all others
    assert (records["pl"]["name"], records["pl"]["forms"]) == ("Polish", "lemmas")
    shown = keywright("languages").stdout.decode()
    assert all(record["name"] in shown for record in records.values())


def test_a_language_of_a_run_is_noted_once(tmp_path):
    for name in ("one.txt", "two.txt"):
        text = (
            "Wärmepumpen heizen alte Mietshäuser. Die Stadt zahlt Zuschüsse, und Handwerker tauschen Heizkörper, Rohre"
        )
        (tmp_path / name).write_text(f"{text} und Fenster aus. Mieter klagen über Lärm in der Nacht.", "utf-8")
    done = keywright("extract", "one.txt", "two.txt", "--language", "de", cwd=tmp_path)
    (note,) = done.stderr.decode().splitlines()
    assert note.startswith("note: language 'de': fewer resources than English")
    assert len(note) < 130


def test_a_language_without_a_list_is_named():
    listed = kw.extract("კავკასია არის რეგიონი ევროპისა და აზიის საზღვარზე", language="ka")
    assert any(warning.startswith("language 'ka': no list of function words") for warning in listed.warnings)
