"""Evaluators by specification: ``NAME`` or ``NAME:key=value,...``."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from keywright.core.errors import BadParameter, unknown_name
from keywright.core.signatures import make_part, parse_parameters
from keywright.summaries.evaluator import Evaluator
from keywright.summaries.kpeval import KPEval, LemmaExtractor

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

_LISTING: Final = "keywright summaries score --list"
_EXTRACTOR: Final = "extractor"

Extractors = Callable[[str | None], Mapping[str, LemmaExtractor]]
"""Systems by language, of the name of one system for all languages, or of None for the usual ones."""


class Specification(NamedTuple):
    """The name of an evaluator and the texts of its options."""

    name: str
    options: Mapping[str, str]


def evaluator_class(name: str) -> type[Evaluator]:
    """Return the class of an evaluator.

    Raises:
        UnknownName: there is no such evaluator.
    """
    if name not in EVALUATORS:
        raise unknown_name("evaluator", name, EVALUATORS, _LISTING)
    module, _, attribute = EVALUATORS[name].partition(":")
    kind: type[Evaluator] = getattr(importlib.import_module(module), attribute)
    return kind


def read_specification(text: str) -> Specification:
    """Return the parts of a specification such as ``kpeval:combine=best,weight=probability``.

    Raises:
        BadParameter: an option is not of the form ``key=value``, or comes twice.
    """
    name, _, rest = text.strip().partition(":")
    options: dict[str, str] = {}
    for item in filter(None, (piece.strip() for piece in rest.split(","))):
        key, sign, value = item.partition("=")
        if not sign or key.strip() in options:
            happened = "comes twice" if sign else "has no value"
            raise BadParameter(f"{text}: {key.strip()} {happened}", "expected NAME:key=value,key=value")
        options[key.strip()] = value.strip()
    return Specification(name.strip(), options)


def make_evaluator(text: str, extractors: Extractors) -> Evaluator:
    """Return the evaluator of a specification.

    Args:
        text: the specification.
        extractors: makes the systems of ``kpeval``.

    Raises:
        UnknownName: there is no such evaluator, or no such extractor.
        BadParameter: an option is unknown or has a value of another type.
    """
    name, options = read_specification(text)
    kind = evaluator_class(name)
    values: dict[str, Any] = {}
    if issubclass(kind, KPEval):
        chosen = options.get(_EXTRACTOR)
        options = {key: value for key, value in options.items() if key != _EXTRACTOR}
        values["extractors"] = extractors(chosen)
    return make_part(kind, values | parse_parameters(kind, options, name, listing=_LISTING), name)
