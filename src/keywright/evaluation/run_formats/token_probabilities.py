"""Predictions of generators with token probabilities: JSON Lines with their own texts and gold.

A line is a document: ``doc_id``, ``source`` (tokens with blanks between them, a mark between title and abstract),
``gold``, and ``phrases`` in the order of generation, each with ``phrase``, ``tokens``, ``probs`` and optionally
``start_prob``, ``end_prob``, ``slot``; for a model that reports only the perplexity of phrases, ``tokens`` and
``probs`` are null and ``kpp`` is set. ``model_source`` and ``model_gold`` are the model's own input, if it differs;
``raw_tokens`` and ``raw_probs`` are its whole output.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.json_values import a_list, an_object, number, numbers, text, texts, whole
from keywright.core.predictions import Generation, Keyphrase, Prediction, Run
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source, gold, located, no_predictions
from keywright.evaluation.run_formats.json_lines import document_of, first_record, records

KPP: Final = "kpp"
"""Evidence of a phrase whose perplexity is all that is available."""
LEAST: Final = 1e-12
"""Lower bound of a token's probability, so that its logarithm is finite; arbitrary."""
_EXPECTED = '{"doc_id", "source", "gold": […], "phrases": [{"phrase", "tokens": […], "probs": […]} or {…, "kpp"}, …]}'
_PIECE_MARK: Final = "▁"
_STEMMED: Final = frozenset({"semeval"})
"""Collections whose gold ships stemmed."""


@dataclass(frozen=True, slots=True)
class Output:
    """The complete output of a generator for one document, delimiters, marks and null slots included.

    Attributes:
        probabilities: 0 to 1, one per token; 0 for a token that was forced, not generated.
    """

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


def _recognise(source: Source) -> bool:
    return {"doc_id", "source", "gold", "phrases"} <= first_record(source).keys()


def _read(source: Source, model_input: bool) -> LoadedRun:  # noqa: FBT001 - the formats below name it
    predictions = []
    labelled: dict[str, LabelledDocument[Document]] = {}
    stemmed = False
    systems: dict[str, None] = {}
    for line, record in records(source, _EXPECTED):
        with located(f"line {line} of {source.name}", _EXPECTED):
            name = text(record["doc_id"], "doc_id")
            if name in labelled:
                raise ValueError(f"document {name!r} comes twice")
            phrases = [keyphrase(an_object(phrase)) for phrase in a_list(record["phrases"], "phrases")]
            predictions.append(Prediction(name, best_first(phrases)))
            labelled[name] = _labelled(name, record, model_input=model_input)
            systems[_system(record)] = None
        stemmed = stemmed or record.get("dataset") in _STEMMED
    if len(systems) > 1:
        message = f"{source.name} has predictions of several models: {', '.join(systems)}"
        raise BadRecord(message, "expected one file per model")
    run = Run(f"{next(iter(systems), '')}|sha256:{source.sha256}", "", "", tuple(predictions))
    documents = tuple(labelled.values())
    return LoadedRun("generations", run, no_predictions(run), labelled=documents, stemmed=stemmed)


def _system(record: Mapping[str, Any]) -> str:
    """Return the model, and the seed of its training if the record has one."""
    seed = record.get("seed")
    return text(record.get("model", "generator"), "model") + ("" if seed is None else f"|seed:{seed}")


def best_first(phrases: Sequence[Keyphrase]) -> tuple[Keyphrase, ...]:
    """Keep phrases in the order of generation; sort those of slots by mean token probability, ties by slot."""
    if any(phrase.generation and phrase.generation.slot is not None for phrase in phrases):
        return tuple(sorted(phrases, key=_mean_probability, reverse=True))
    return tuple(phrases)


def _mean_probability(phrase: Keyphrase) -> float:
    log_probabilities = phrase.generation.log_probabilities if phrase.generation else ()
    return math.fsum(map(math.exp, log_probabilities)) / len(log_probabilities) if log_probabilities else 0.0


def keyphrase(record: Mapping[str, Any], *, spelled: bool = True) -> Keyphrase:
    """Build a phrase from its record; its score is minus its rank in the order of generation.

    ``spelled``: whether tokens are text, not numbers.
    """
    phrase = text(record["phrase"], "phrase")
    score = -float(whole(record["rank"], "rank"))
    if (record["tokens"] is None) is not (record["probs"] is None):
        raise ValueError(f"{phrase!r:.60} has tokens or probabilities, not both")
    if record["tokens"] is None:
        perplexity = number(record["kpp"], "kpp")
        if perplexity < 1:
            raise ValueError(f"perplexity {perplexity} of {phrase!r:.60} is below 1")
        return Keyphrase(phrase, score, evidence={KPP: perplexity})
    tokens, slot = texts(record["tokens"], "tokens"), record.get("slot")
    if spelled and "".join("".join(tokens).replace(_PIECE_MARK, "").split()) != "".join(phrase.split()):
        raise ValueError(f"tokens {list(tokens)!r:.60} do not make up the phrase {phrase!r:.60}")
    end, start = (record.get(name) for name in ("end_prob", "start_prob"))
    generation = Generation(
        tokens,
        tuple(logarithm(probability, phrase) for probability in numbers(record["probs"], "probs")),
        end=None if end is None else logarithm(end, phrase),
        start=None if start is None else logarithm(start, phrase),
        slot=None if slot is None else whole(slot, "slot"),
        words=len(phrase.split()),
    )
    return Keyphrase(phrase, score, generation=generation)


def logarithm(probability: Any, phrase: str) -> float:
    """Return the natural logarithm of a probability, which is raised to ``LEAST`` if smaller."""
    if not 0 <= number(probability, "probability") <= 1:
        raise ValueError(f"probability {probability} in {phrase!r:.60} is not between 0 and 1")
    return math.log(max(probability, LEAST))


def _labelled(name: str, record: Mapping[str, Any], *, model_input: bool) -> LabelledDocument[Document]:
    """Return text and gold of the collection, or those that the model itself received."""
    source, key = ("model_source", "model_gold") if model_input else ("source", "gold")
    if model_input and record.get(source) is None:
        raise KeyError(source)
    phrases = record["gold"] if record.get(key) is None else record[key]
    return gold(document_of(name, text(record[source], source)), texts(phrases, key))


def outputs(source: Source) -> dict[str, Output]:
    """Read the complete output for each document."""
    by_document = {}
    for line, record in records(source, _EXPECTED):
        with located(f"line {line} of {source.name}", "raw_tokens and raw_probs"):
            tokens = texts(record["raw_tokens"], "raw_tokens")
            probabilities = numbers(record["raw_probs"], "raw_probs")
            if len(tokens) != len(probabilities):
                raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities")
            by_document[text(record["doc_id"], "doc_id")] = Output(tokens, probabilities)
    return by_document


FORM = RunFormat(
    "generations",
    "JSON Lines of generators with token probabilities: `doc_id`, `source`, `gold`, `phrases`",
    _recognise,
    partial(_read, model_input=False),
)
OWN = RunFormat(
    "generations-own",
    "the same, with the texts and gold that the model itself received",
    lambda _: False,
    partial(_read, model_input=True),
)
