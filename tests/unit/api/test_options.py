"""One table of options: keywords of Python and options of the command line come from it."""

import inspect
import typing
from pathlib import Path

import pytest
import typer

from keywright.api.inputs import GuaranteeKeywords, ListKeywords
from keywright.core.options import ChoiceOptions, GuaranteeOptions, Option, PhraseOptions, options_of
from keywright.faces.cli.verbs.extract import extract, run
from keywright.running.phrase_filter import PhraseFilter

FILES = {"stop_phrases", "vocabulary"}


def types(table: type) -> dict[str, object]:
    return {field.name: kind for field, kind, _ in options_of(table) if field.name not in FILES}


def test_keywords_are_those_of_the_table():
    limits, every = typing.get_type_hints(GuaranteeKeywords), typing.get_type_hints(ListKeywords)
    assert limits == types(GuaranteeOptions)
    tables = (ChoiceOptions, GuaranteeOptions, PhraseOptions)
    assert set(every) - FILES == {name for table in tables for name in types(table)}
    assert {name: every[name] for name in types(PhraseOptions)} == types(PhraseOptions)


def test_what_filters_phrases_has_the_options_of_the_table():
    defaults = {field.name: field.default for field, _, _ in options_of(PhraseOptions)}
    assert vars(PhraseFilter()) == defaults


@pytest.mark.parametrize(
    ("verb", "tables"),
    [(extract, (ChoiceOptions, PhraseOptions, GuaranteeOptions)), (run, (ChoiceOptions, GuaranteeOptions))],
)
def test_the_command_line_has_every_option_with_its_help(verb, tables):
    shown = inspect.signature(verb).parameters
    for table in tables:
        for field, kind, option in options_of(table):
            annotated, info = typing.get_args(shown[field.name].annotation)
            assert isinstance(info, typer.models.OptionInfo)
            assert (info.help, info.metavar or "") == (option.help, option.value)
            assert annotated == (Path | None if field.name in FILES else kind)


def test_every_option_has_help_that_is_a_sentence():
    for table in (PhraseOptions, GuaranteeOptions):
        for _, _, option in options_of(table):
            assert isinstance(option, Option)
            assert option.help[0].isupper()
            assert option.help.endswith(".")
