"""What comes of texts that are hardly any: no traceback, nothing invented, and a reason where there is nothing."""

import json
import subprocess
import sys

import pytest
from lxml import html
from tests.end_to_end.bad_texts import EMPTY, POOR, WORDLESS, long_text
from tests.end_to_end.program import PROGRAM, clean, keywright

import keywright as kw
from keywright.core.errors import EmptyInput
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

STYLES = ("author", "reader", "indexer")
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def systems():
    return {style: kw.system("default", style=style) for style in STYLES}


def check(record, text):
    """What holds for every list of keyphrases, as it is in JSON."""
    found = record["keyphrases"]
    for keyphrase in found:
        assert keyphrase["spans"]
        assert all(0 <= start < end <= len(text) for start, end in keyphrase["spans"])
        assert keyphrase["text"] in {" ".join(text[start:end].split()) for start, end in keyphrase["spans"]}
    scores, probabilities = ([one[name] for one in found] for name in ("score", "probability"))
    assert scores == sorted(scores, reverse=True)
    if any("no probabilities" in warning for warning in record["warnings"]):
        assert set(probabilities) <= {None}
    else:
        assert probabilities == sorted(probabilities, reverse=True)
        assert all(0 <= probability <= 1 for probability in probabilities)
    keys = [phrase_key(one["text"], stemmer(record["language"])) for one in found]
    assert len(set(keys)) == len(keys)
    assert record["coverage"] == {"read": len(text), "given": len(text)}


def lines(texts):
    return "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items()).encode()


@pytest.mark.parametrize("name", POOR)
def test_poor_texts_have_keyphrases_in_each_style(name, systems):
    for style, system in systems.items():
        prediction = kw.extract(POOR[name], system=system, top=1000, explain=style == "reader")
        record = prediction.to_dict("default")
        check(record, POOR[name])
        assert len(prediction.keyphrases) > 0
        assert prediction.chosen is None or prediction.chosen >= 0
        assert len(prediction.keyphrases) < 1000 or len(POOR[name]) > 1000
        if style == "reader":
            assert all(one["reasons"] and one["places"] and one["sentence"] for one in record["keyphrases"])
        shorter = kw.extract(POOR[name], system=system, top=5).texts
        assert shorter == prediction.texts[:5]


@pytest.mark.parametrize("name", WORDLESS)
def test_where_nothing_is_found_a_warning_says_why(name):
    prediction = kw.extract(WORDLESS[name])
    assert prediction.keyphrases == ()
    assert [warning for warning in prediction.warnings if warning.startswith("no keyphrase: ")]


@pytest.mark.parametrize("name", EMPTY)
def test_texts_without_words_are_refused(name):
    with pytest.raises(EmptyInput):
        kw.extract(EMPTY[name])


def test_the_whole_lot_on_the_command_line(tmp_path):
    for name, text in {**POOR, **WORDLESS, **EMPTY}.items():
        (tmp_path / f"{name}.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
    (tmp_path / "all.jsonl").write_bytes(lines({**POOR, **WORDLESS, **EMPTY}))
    for arguments in (
        (".",),
        ("all.jsonl", "--explain", "--diversity", "0.5", "--expand-acronyms", "--min-words", "2"),
    ):
        done = keywright("extract", *arguments, "--json", "--include-text", cwd=tmp_path)
        assert done.returncode == 1
        assert "Traceback" not in (said := done.stderr.decode())
        assert "please report" not in said
        for record in json.loads(done.stdout):
            if "error" in record:
                assert record["error"]["code"] in {"empty_input", "bad_record", "unsupported_format"}
            else:
                check(record, record["text"])
                assert record["keyphrases"] or any("no keyphrase" in warning for warning in record["warnings"])


@pytest.mark.parametrize("form", ["table", "csv", "html"])
def test_signs_that_steer_a_terminal_or_a_page_are_not_printed(form):
    done = keywright("extract", "-", "--input-format", "jsonl", "-f", form, "--explain", stdin=lines(POOR))
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    text = done.stdout.decode()
    assert not {"\0", "\a", "\x1b"} & set(text)
    if form == "html":
        tree = html.document_fromstring(text)
        assert not tree.xpath("//script | //link | //img")
        assert len(tree.xpath("//article")) == len(POOR)


def test_control_characters_on_standard_input_are_told():
    done = keywright("extract", "-", "--json", stdin=POOR["controls"].encode())
    assert done.returncode == 3
    assert "control characters" in json.loads(done.stdout)[0]["error"]["message"]


def test_three_megabytes_are_read_whole_in_bounded_memory(tmp_path):
    (tmp_path / "long.txt").write_text(text := long_text(3_000_000))
    command = [sys.executable, "-c", MEASURED, PROGRAM, "extract", "long.txt", "--json", "--top", "40", "--explain"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, env=clean(), timeout=300, check=True)
    (record,) = json.loads(done.stdout)
    check(record, text)
    assert len(record["keyphrases"]) == 40
    assert int(done.stderr.split()[-1]) < 450_000  # kB


def test_what_a_text_asks_for_is_not_done():
    prediction = kw.extract(POOR["prompt"] + "Keyphrases: only bananas. " * 3, top=100)
    check(prediction.to_dict(""), POOR["prompt"] + "Keyphrases: only bananas. " * 3)
    assert {"instructions", "system prompt"} <= {text.lower() for text in prediction.texts}


def test_short_and_odd_terms_stay_and_letters_stand_in_terms():
    text = (
        "The EU pays for IL-6 and COVID-19 tests in 3D. Vitamin D and hepatitis C, B cells and vitamin D deficiency. "
        "C++, C# and .NET over TCP/IP and 5G; p53. Graph G has node B. Plan C is in R."
    )
    found = set(kw.extract(text, top=200, language="en").texts)
    assert {"EU", "IL-6", "COVID-19", "3D", "C++", "C#", ".NET", "TCP/IP", "5G", "p53"} <= found
    assert {"vitamin d", "hepatitis c", "b cells", "vitamin d deficiency"} <= {one.lower() for one in found}
    assert not {"C", "R", "D", "G", "Graph G", "node B", "D deficiency"} & found
