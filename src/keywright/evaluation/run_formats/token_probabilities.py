"""Predictions of generators with token probabilities: JSON Lines that bring their texts and gold along.

A line is a document: ``doc_id``, ``source`` (tokens with blanks between them, a mark between title and abstract),
``gold``, and ``phrases`` in the order of generation, each with ``phrase``, ``tokens``, ``probs`` and perhaps
``start_prob``, ``end_prob``, ``slot``; where a model gives the perplexity of phrases alone, ``tokens`` and ``probs``
are null and ``kpp`` is there. ``model_source`` and ``model_gold`` are what the model itself was given, if it differs;
``raw_tokens`` and ``raw_probs`` are its whole output.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import BadRecord
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.core.json_values import a_list, an_object, number, numbers, text, texts, whole
from keywright.core.predictions import Generation, Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.evaluation.run_formats.format import GOLD, Form, LoadedRun, Source, some
from keywright.evaluation.run_formats.json_lines import first_record, records
from keywright.evaluation.run_formats.marked_text import document_of

KPP: Final = "kpp"
"""Evidence of a phrase whose perplexity is all that is known."""

LEAST: Final = 1e-12
"""Smallest probability that a token is taken to have, so that its logarithm is finite."""

_EXPECTED = '{"doc_id", "source", "gold": […], "phrases": [{"phrase", "tokens": […], "probs": […]} or {…, "kpp"}, …]}'
_PIECE_MARK: Final = "▁"
_STEMMED: Final = frozenset({"semeval"})
"""Collections whose gold ships stemmed."""


@dataclass(frozen=True, slots=True)
class Output:
    """All that a generator wrote for one document, delimiters, marks and null slots included.

    Attributes:
        tokens: in the order of generation.
        probabilities: 0 to 1, one a token; 0 for a token that was given, not generated.
    """

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


def _recognise(source: Source) -> bool:
    return {"doc_id", "source", "gold", "phrases"} <= first_record(source).keys()


def _read(source: Source, own: bool) -> LoadedRun:  # noqa: FBT001 - the formats below name it
    predictions, labelled, stemmed = [], {}, 0
    systems: dict[str, None] = {}
    for at, record in records(source, _EXPECTED):
        try:
            name = text(record["doc_id"], "doc_id")
            if name in labelled:
                raise ValueError(f"document {name!r} comes twice")  # noqa: TRY301 - one place adds the line
            predictions.append(Prediction(name, _keyphrases(record)))
            labelled[name] = _labelled(name, record, own=own)
            systems[_system(record)] = None
        except (ValueError, TypeError, KeyError) as error:
            said = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise BadRecord(f"line {at} of {source.name}: {said}", f"expected {_EXPECTED}") from None
        stemmed += record.get("dataset") in _STEMMED
    if len(systems) > 1:
        message = f"{source.name} holds predictions of several models: {', '.join(systems)}"
        raise BadRecord(message, "expected one file a model")
    run = Run(f"{next(iter(systems), '')}|sha256:{source.sha256}", "", "", tuple(predictions))
    notes = some(sum(not one.keyphrases for one in predictions), "documents have no predictions")
    return LoadedRun("generations", run, notes, labelled=tuple(labelled.values()), stemmed=stemmed > 0)


def _system(record: Mapping[str, Any]) -> str:
    """The model, and the seed of its training where it is known."""
    seed = record.get("seed")
    return text(record.get("model", "generator"), "model") + ("" if seed is None else f"|seed:{seed}")


def _keyphrases(record: Mapping[str, Any]) -> tuple[Keyphrase, ...]:
    """The phrases of a line, best first."""
    return best_first([keyphrase(an_object(one)) for one in a_list(record["phrases"], "phrases")])


def best_first(given: Sequence[Keyphrase]) -> tuple[Keyphrase, ...]:
    """Phrases in the order of generation; those of slots by mean token probability, ties in the order of slots."""
    if any(one.generation and one.generation.slot is not None for one in given):
        return tuple(sorted(given, key=_mean_probability, reverse=True))
    return tuple(given)


def _mean_probability(one: Keyphrase) -> float:
    """Of the tokens of a phrase."""
    given = one.generation.log_probabilities if one.generation else ()
    return math.fsum(map(math.exp, given)) / len(given) if given else 0.0


def keyphrase(record: Mapping[str, Any], *, spelled: bool = True) -> Keyphrase:
    """A phrase from its record; its score is its place in the order of generation, negative.

    Args:
        record: ``phrase``, ``rank``, ``tokens``, ``probs`` and the rest.
        spelled: whether tokens are letters, not numbers.

    Raises:
        ValueError, TypeError, KeyError: the record breaks the form, or its tokens do not make up its phrase.
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
        tuple(logarithm(one, phrase) for one in numbers(record["probs"], "probs")),
        end=None if end is None else logarithm(end, phrase),
        start=None if start is None else logarithm(start, phrase),
        slot=None if slot is None else whole(slot, "slot"),
        words=len(phrase.split()),
    )
    return Keyphrase(phrase, score, generation=generation)


def logarithm(probability: Any, phrase: str) -> float:
    """The natural logarithm of a probability, which is taken to be ``LEAST`` at least.

    Raises:
        ValueError, TypeError: it is no number between 0 and 1.
    """
    if not 0 <= number(probability, "probability") <= 1:
        raise ValueError(f"probability {probability} in {phrase!r:.60} is not between 0 and 1")
    return math.log(max(probability, LEAST))


def _labelled(name: str, record: Mapping[str, Any], *, own: bool) -> LabelledDocument[Document]:
    """Text and gold as they are in the collection, or as the model was given them."""
    source, gold = ("model_source", "model_gold") if own else ("source", "gold")
    if own and record.get(source) is None:
        raise KeyError(source)
    given = record.get(gold) if own and record.get(gold) is not None else record["gold"]
    return LabelledDocument(document_of(name, text(record[source], source)), _gold(texts(given, gold)))


def _gold(phrases: Sequence[str]) -> tuple[GoldKeyphrase, ...]:
    return tuple(GoldKeyphrase((phrase,), GOLD) for phrase in phrases)


def outputs(source: Source) -> dict[str, Output]:
    """The whole output for each document, as the model wrote it.

    Raises:
        BadRecord: the file has none, or it is broken.
    """
    found = {}
    for at, record in records(source, _EXPECTED):
        try:
            tokens = texts(record["raw_tokens"], "raw_tokens")
            given = numbers(record["raw_probs"], "raw_probs")
            if len(tokens) != len(given):
                raise ValueError(f"{len(tokens)} tokens and {len(given)} probabilities")  # noqa: TRY301 - as above
            found[text(record["doc_id"], "doc_id")] = Output(tokens, given)
        except (ValueError, TypeError, KeyError) as error:
            said = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise BadRecord(f"line {at} of {source.name}: {said}", "expected raw_tokens and raw_probs") from None
    return found


FORM = Form(
    "generations",
    "JSON Lines of generators with token probabilities: `doc_id`, `source`, `gold`, `phrases`",
    _recognise,
    partial(_read, own=False),
)
OWN = Form(
    "generations-own",
    "the same, with the texts and gold that the model itself was given",
    lambda _: False,
    partial(_read, own=True),
)
