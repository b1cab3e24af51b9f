"""Options are declared once: command line, Python, HTTP, assistants and the page come from the same tables."""

import inspect
import json
import math
import subprocess
import sys
import typing
from enum import EnumType
from pathlib import Path

import pytest
import typer
from tests.house.tree import ROOT

import keywright as kw
from keywright import api
from keywright.api.combining import METHODS as COMBINING
from keywright.api.options import options_of_texts, options_of_values
from keywright.calibration.calibrators.model import METHODS
from keywright.core import choices
from keywright.core.errors import BadParameter
from keywright.core.option_types import Option, Range, User
from keywright.core.options import (
    TABLES,
    ChoiceOptions,
    GuaranteeOptions,
    ListKeywords,
    PhraseOptions,
    options_for,
    options_of,
)
from keywright.ensembles.voting import Method
from keywright.faces.cli.verbs.extract import extract, run
from keywright.reading.formats import BY_NAME
from keywright.running.phrase_filter import PhraseFilter

FILES = {"stop_phrases", "vocabulary", "merges"}
DECLARED = """    shouting: int | None = declare(
        "Write the first phrases in capitals.", "N", Range(1, 7), label="Loud phrases"
    )
"""
SURFACES = """
import json, sys, types
from pathlib import Path
import keywright.core
name, source = "keywright.core.options", Path(sys.argv[1])
module = types.ModuleType(name)
sys.modules[name] = keywright.core.options = module
exec(compile(source.read_text(), str(source), "exec"), module.__dict__)

from typer.testing import CliRunner
import keywright as kw
from keywright.api.options import options_of_texts
from keywright.faces.assistants.tools import tool_cards
from keywright.faces.cli.app import app
from keywright.faces.service.answers import describe_service
from keywright.faces.service.page import Page

def refused(call):
    try:
        call()
    except kw.KeywrightError as error:
        return str(error)

components = describe_service()["components"]["schemas"]
print(json.dumps({
    "help": CliRunner().invoke(app, ["extract", "--help"], env={"COLUMNS": "200"}).output,
    "range": refused(lambda: kw.prepare("firstphrases", shouting=8)),
    "misnamed": refused(lambda: kw.prepare("firstphrases", shoutin=1)),
    "request": refused(lambda: options_of_texts([("shouting", "8")])),
    "openapi": components["ExtractRequest"]["properties"]["shouting"],
    "tools": [card.takes["properties"].get("shouting") for card in tool_cards(9, with_files=True)[:2]],
    "page": Page("default").html(),
}))
"""


def types(table: type) -> dict[str, object]:
    """Types of keywords: choices are given by their names."""
    found = {name: option.type for name, option in options_of(table).items() if name not in FILES}
    return {name: str if isinstance(each, EnumType) else each for name, each in found.items()}


def test_an_option_that_is_declared_in_one_file_is_everywhere(tmp_path):
    source = Path(inspect.getfile(PhraseOptions)).read_text("utf-8")
    file = tmp_path / "options.py"
    file.write_text(
        source.replace("    min_words: int = declare(", DECLARED + "    min_words: int = declare(", 1), "utf-8"
    )
    command = [sys.executable, "-c", SURFACES, str(file)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    assert "--shouting" in found["help"]
    assert "Write the first phrases in capitals." in found["help"]
    assert found["range"] == found["request"] == "shouting 8; expected a whole number from 1 to 7"
    assert "did you mean 'shouting'?" in found["misnamed"]
    about = {"description": "Write the first phrases in capitals.", "minimum": 1, "maximum": 7}
    assert found["openapi"] == {"type": ["integer", "null"], **about}
    assert found["tools"] == [{"type": "integer", **about}] * 2
    assert 'Loud phrases <input name="shouting" type="number" min="1" max="7" step="1"' in found["page"]


def test_keywords_for_type_checkers_are_those_of_the_tables():
    keywords = typing.get_type_hints(ListKeywords)
    assert set(keywords) == set(options_of(*TABLES[1:]))
    for table in (PhraseOptions, GuaranteeOptions):
        assert {name: keywords[name] for name in types(table)} == types(table)


def test_the_filter_of_phrases_has_the_options_of_its_table():
    assert vars(PhraseFilter()) == {name: option.default for name, option in options_of(PhraseOptions).items()}


@pytest.mark.parametrize(("verb", "tables"), [(extract, TABLES), (run, (ChoiceOptions, GuaranteeOptions))])
def test_the_command_line_has_every_option_with_its_help(verb, tables):
    shown = inspect.signature(verb).parameters
    for name, option in options_of(*tables).items():
        annotated, info = typing.get_args(shown[name].annotation)
        assert isinstance(info, typer.models.OptionInfo)
        assert (info.help, info.metavar or "") == (option.command_line_help, option.metavar)
        assert annotated == (Path | None if name in FILES else str if option.word else option.type)


def test_every_option_has_help_that_is_a_sentence():
    for option in options_of(*TABLES).values():
        assert isinstance(option, Option)
        assert option.help[0].isupper()
        assert option.help.endswith(".")
        assert "--" not in option.help


def test_values_by_name_are_those_of_the_parts_that_they_choose():
    assert ["auto", *BY_NAME] == list(choices.InputFormat)
    assert sorted(METHODS) == sorted(choices.CalibrationMethod)
    assert tuple(choices.CombineMethod) == COMBINING
    assert list(Method) == list(choices.CombineMethod)[:-1]


@pytest.mark.parametrize(
    ("ends", "inside", "outside", "words"),
    [
        (Range(), (0, -1e300), (math.inf, math.nan, 10**400), ""),
        (Range(1), (1, 10**6), (0, math.inf), "from 1"),
        (Range(1, 10_000), (1, 10_000), (0, 10_001), "from 1 to 10,000"),
        (Range(0, is_open=True), (1e-9, 5), (0, -1, math.inf, math.nan), "above 0"),
        (Range(0, 1, is_open=True), (0.5,), (0, 1), "above 0 and below 1"),
    ],
)
def test_ranges(ends, inside, outside, words):
    assert all(number in ends for number in inside)
    assert not any(number in ends for number in outside)
    assert str(ends) == words


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"top": True}, "top True; expected a whole number from 1 to 10,000"),
        ({"top": 2.5}, "top 2.5"),
        ({"expect": 0}, "expect 0; expected a number above 0"),
        ({"explain": "yes"}, "explain 'yes'; expected true or false"),
        ({"style": "poet"}, "expected one of author, reader, indexer, subject, general"),
        ({"stop_phrases": "README.md"}, "stop_phrases 'README.md'; expected phrases"),
        ({"stop_phrases": [["a"]]}, "expected phrases"),
        ({"min_precision": 1}, "expected a number above 0 and below 1"),
        ({"tpo": 2}, "did you mean 'top'? fields: text, top"),
    ],
)
def test_values_of_a_request_are_refused(values, message):
    with pytest.raises(BadParameter) as refused:
        options_of_values(values, ("text",))
    assert message in str(refused.value)


def test_values_of_a_request_are_those_that_are_not_the_default():
    values = {"top": None, "expect": 5, "min_words": 1, "stop_phrases": ["a", "b"], "vocabulary": "terms"}
    changed = (("expect", 5.0), ("stop_phrases", ("a", "b")), ("vocabulary", "terms"))
    assert options_of_values(values) == changed


def test_texts_of_a_form_or_an_address_mean_values():
    texts = [("top", " 3 "), ("language", ""), ("explain", "On"), ("diversity", ".5"), ("vocabulary", "terms\n")]
    texts += [("stop_phrases", "rain gardens\r\n\r\n"), ("stop_phrases", "tides")]
    assert dict(options_of_texts(texts)) == {
        "top": 3,
        "explain": True,
        "diversity": 0.5,
        "vocabulary": "terms",
        "stop_phrases": ("rain gardens", "tides"),
    }
    assert dict(options_of_texts([("vocabulary", "a\nb")])) == {"vocabulary": ("a", "b")}
    with pytest.raises(BadParameter, match="the option 'top' comes twice"):
        options_of_texts([("top", "1"), ("top", "1")])


def test_files_of_the_command_line_are_no_options_of_requests():
    assert all(option.json_type == "array" for option in options_for(User.SERVICE).values() if option.metavar == "FILE")


def test_a_job_is_what_its_options_say():
    job = api.ExtractJob(("a.txt",), "kpminer", {"cutoff": "850"}, options={"top": 2, "explain": True, "min_words": 2})
    assert (job.extraction.top, job.extraction.evidence, job.extraction.extractor.cutoff) == (2, True, 850)
    assert job.settings == {"top": 2, "explain": True, "min_words": 2}
    styled = api.ExtractJob(("a.txt",), options={"style": "reader"})
    assert styled.extraction.extractor.style == "reader"
    assert styled.settings == {}


@pytest.mark.parametrize(
    ("system", "word", "here"),
    [
        ("yake", "n", "longest"),
        ("yake", "max_ngram_size", "longest"),
        ("embedrank", "keyphrase_ngram_range", "longest"),
        ("embedrank", "use_mmr", "diversity"),
        ("textrank", "window_size", "window"),
        ("kpminer", "lasf", "least_seen"),
    ],
)
def test_words_of_other_tools_name_the_parameter(system, word, here):
    with pytest.raises(BadParameter, match=f"use {here}; `keywright systems {system}` explains it"):
        kw.system(system, **{word: 2})


@pytest.mark.parametrize("word", ["ngram", "max_words", "keyphrase_ngram_range", "max_ngram_size"])
def test_the_most_words_of_phrases_are_a_parameter_of_systems(word):
    with pytest.raises(BadParameter, match="the most is longest=N"):
        kw.extract("Tide gauges drift.", **{word: 2})


def test_names_of_other_packages_are_answered():
    for name in ("KeyBERT", "KeywordExtractor", "extract_keywords"):
        with pytest.raises(AttributeError, match=r"use kw\.extract"):
            getattr(kw, name)
