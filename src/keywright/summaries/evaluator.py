"""Evaluators of summaries: interface, specifications ``NAME:key=value``, and the simplest of them, ``length``."""

import importlib
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from keywright.core.errors import BadParameter, unknown_name
from keywright.core.signatures import list_parameters, make_part, parse_parameters
from keywright.summaries.pairs import Pair, SummaryText

EVALUATORS: Final = {
    "bertscore": "keywright.summaries.library_metrics:BertScore",
    "bleu": "keywright.summaries.library_metrics:Bleu",
    "chrf": "keywright.summaries.library_metrics:ChrF",
    "kpeval": "keywright.summaries.kpeval:KPEval",
    "length": "keywright.summaries.evaluator:Length",
    "meteor": "keywright.summaries.library_metrics:Meteor",
    "ngram-graph": "keywright.summaries.ngram_graphs.evaluator:NGramGraph",
    "rouge": "keywright.summaries.rouge.evaluators:RougeScore",
    "rouge155": "keywright.summaries.rouge.evaluators:Rouge155",
}
"""Module and class of each evaluator, loaded on first use."""

NO_REFERENCE: Final = "no reference to compare with"
_LISTING: Final = "keywright summaries score --list"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of one summary under one evaluator, by name, None where undefined, and oddities, for people."""

    values: Mapping[str, float | None]
    notes: tuple[str, ...] = ()


class Evaluator(ABC):
    """A base of evaluators: frozen dataclasses whose fields are options, named in specifications and signatures."""

    name: ClassVar[str]  # in specifications, such as ``rouge155``
    headline: ClassVar[str]  # name of the value by which summaries are ranked

    @abstractmethod
    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the scores of each pair, in order; work on texts that several pairs share is done once."""


@dataclass(frozen=True)
class Length(Evaluator):
    """Number of words of the summary; references are not used."""

    name: ClassVar[str] = "length"
    headline: ClassVar[str] = "score"

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the number of words of each summary, in order."""
        for pair in pairs:
            yield Evaluation({"score": float(count_words(pair.summary))})


def count_words(text: SummaryText) -> int:
    """Return the number of words: tokens, or pieces between blanks, that have a letter or a digit.

    >>> count_words(SummaryText("Tides , it seems , rise 2 m ."))
    6
    """
    sentences = (text.whole.split(),) if text.tokens is None else text.tokens
    return sum(any(map(str.isalnum, word)) for sentence in sentences for word in sentence)


def check_options(evaluator: Evaluator) -> None:
    """Check that options have one of their choices, also of evaluators made without a specification."""
    for option in list_parameters(type(evaluator)):
        value = getattr(evaluator, option.name)
        is_literal = typing.get_origin(option.type) is typing.Literal
        choices = (True, False) if option.type is bool else typing.get_args(option.type) if is_literal else ()
        if choices and (value not in choices or isinstance(value, bool) != (option.type is bool)):
            raise BadParameter(f"{evaluator.name}: {option.name} = {value!r:.60}", f"{option.name} takes {option.kind}")


def evaluator_class(name: str) -> type[Evaluator]:
    """Return the class of an evaluator. Raises UnknownName: there is no such evaluator."""
    if name not in EVALUATORS:
        raise unknown_name("evaluator", name, EVALUATORS, _LISTING)
    module, _, attribute = EVALUATORS[name].partition(":")
    kind: type[Evaluator] = getattr(importlib.import_module(module), attribute)
    return kind


def read_specification(text: str) -> tuple[str, dict[str, str]]:
    """Return name and options of a text such as ``kpeval:combine=best,top=5``; else raises ``BadParameter``."""
    name, _, rest = text.strip().partition(":")
    options: dict[str, str] = {}
    for item in filter(None, (piece.strip() for piece in rest.split(","))):
        key, sign, value = (part.strip() for part in item.partition("="))
        if not sign or key in options:
            happened = "comes twice" if sign else "has no value"
            raise BadParameter(f"{text}: {key} {happened}", "expected NAME:key=value,key=value")
        options[key] = value
    return name.strip(), options


def make_evaluator(text: str, extractors: Callable[[str | None], Mapping[str, Any]]) -> Evaluator:
    """Return the evaluator of a specification.

    ``extractors`` makes the systems of ``kpeval`` by language, of the name of one system, or None for the usual ones.
    Raises UnknownName: there is no such evaluator, or no such extractor; BadParameter: an option is unknown or has a
    value of another type.
    """
    name, options = read_specification(text)
    kind = evaluator_class(name)
    values: dict[str, Any] = {}
    if any(parameter.name == "extractors" for parameter in list_parameters(kind)):
        values["extractors"] = extractors(options.pop("extractor", None))
    return make_part(kind, values | parse_parameters(kind, options, name, listing=_LISTING), name)
