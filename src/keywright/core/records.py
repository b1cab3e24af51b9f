"""Predictions and runs as JSON records, shared by files, the command line and the service.

A run file is JSON Lines: a header (``system``, ``data``, ``analyser``, ``environment``, ``seconds``), then one record
per document. A document that failed has ``error`` in place of keyphrases.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from keywright.core.concepts import Concept
from keywright.core.documents import Coverage, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.json_text import to_json
from keywright.core.json_values import a_list, an_object, number, numbers, text, texts, whole
from keywright.core.predictions import (
    Acronym,
    Assumption,
    Failure,
    Generation,
    Grounds,
    Keyphrase,
    Place,
    Prediction,
    Run,
    Sentence,
)
from keywright.core.signatures import short_signature


def generation_record(generation: Generation) -> dict[str, Any]:
    """Return the record of a generation; unknown values have no key."""
    record: dict[str, Any] = {
        "tokens": list(generation.tokens),
        "log_probabilities": list(map(float, generation.log_probabilities)),
        "words": generation.words,
    }
    optional = {"start": generation.start, "end": generation.end, "slot": generation.slot}
    return record | {name: value for name, value in optional.items() if value is not None}


def read_generation(value: Any) -> Generation:
    """Return the generation from its record."""
    record = an_object(value)
    start, end, slot = (record.get(name) for name in ("start", "end", "slot"))
    return Generation(
        tokens=texts(record["tokens"], "tokens"),
        log_probabilities=numbers(record["log_probabilities"], "log_probabilities"),
        end=None if end is None else number(end, "end"),
        start=None if start is None else number(start, "start"),
        slot=None if slot is None else whole(slot, "slot"),
        words=whole(record["words"], "words"),
    )


Record = dict[str, Any]

_HEADER: Final = ("system", "data", "analyser")
_NO_HEADER: Final = {"system": "", "data": "", "analyser": "", "environment": {}}


def prediction_record(prediction: Prediction, system: str) -> Record:
    """Return a prediction as ``extract --json`` prints it; ``system`` is the short signature of its system.

    Some keys are present only if there is a value: ``chosen`` for systems with a count rule, ``author_keywords``,
    ``evidence``, ``reasons``, ``places``, ``sentence`` and ``acronym`` if asked for, ``generation`` for generators,
    ``concept`` and ``ambiguous`` with a vocabulary of concepts,
    ``lemma`` for systems that compare phrases by lemmas and say so, ``profile`` for systems with a calibrator,
    ``assumes`` for systems that say what their probabilities assume, ``meta`` for documents with other data.
    """
    coverage = prediction.coverage
    record: Record = {
        "id": prediction.document_id,
        "language": prediction.language,
        "system": system,
        "keyphrases": [_keyphrase_record(keyphrase) for keyphrase in prediction.keyphrases],
        "coverage": coverage and {"read": coverage.read, "given": coverage.given},
        "warnings": list(prediction.warnings),
    }
    if prediction.chosen is not None:
        record["chosen"] = prediction.chosen
    if prediction.author_keywords:
        record["author_keywords"] = list(prediction.author_keywords)
    if prediction.profile:
        record["profile"] = list(prediction.profile)
    if prediction.assumes:
        record["assumes"] = {"style": prediction.assumes.style, "expected": prediction.assumes.expected}
    if prediction.meta:
        record["meta"] = dict(prediction.meta)
    return record


def _keyphrase_record(keyphrase: Keyphrase) -> Record:
    record: Record = {
        "text": keyphrase.text,
        "score": float(keyphrase.score),
        "probability": keyphrase.probability,
        "present": keyphrase.present,
        "spans": [[int(start), int(end)] for start, end in keyphrase.spans],
    }
    if keyphrase.evidence:
        record["evidence"] = {name: float(value) for name, value in keyphrase.evidence.items()}
    if keyphrase.grounds:
        record |= _grounds_record(keyphrase.grounds)
    if keyphrase.lemma is not None:
        record["lemma"] = keyphrase.lemma
    if keyphrase.acronym:
        record["acronym"] = {"short": keyphrase.acronym.short, "long": keyphrase.acronym.long}
    if keyphrase.concept:
        record["concept"] = keyphrase.concept.to_dict()
    if keyphrase.ambiguous:
        record["ambiguous"] = list(keyphrase.ambiguous)
    if keyphrase.generation:
        record["generation"] = generation_record(keyphrase.generation)
    return record


def _grounds_record(grounds: Grounds) -> Record:
    sentence = grounds.sentence
    return {
        "reasons": {reason: list(names) for reason, names in grounds.reasons.items()},
        "places": [
            {"section": place.section.value, "page": place.page, "mentions": place.mentions} for place in grounds.places
        ],
        "sentence": sentence and {"text": sentence.text, "span": [sentence.start, sentence.end]},
    }


def failure_record(failure: Failure) -> Record:
    """Return the record of a failure, for the same list as predictions."""
    record = {"id": failure.document_id, "error": error_record(failure.code, failure.message, failure.hint)}
    return record | ({"meta": dict(failure.meta)} if failure.meta else {})


def error_record(code: str, message: str, hint: str) -> Record:
    """Return the record of an error: the same three keys everywhere."""
    return {"code": code, "message": message, "hint": hint}


def outcome_record(outcome: Prediction | Failure, system: str) -> Record:
    """Return the record of a prediction or a failure."""
    return failure_record(outcome) if isinstance(outcome, Failure) else prediction_record(outcome, system)


def run_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a run file, with line ends: header, predictions in order, failures."""
    yield header_line(run)
    system = short_signature(run.system)
    yield from (outcome_line(prediction, system) for prediction in run.predictions)
    yield from (outcome_line(failure, system) for failure in run.failures)


def header_line(run: Run) -> str:
    """Return the first line of a run file."""
    return to_json(_header_record(run)) + "\n"


def outcome_line(outcome: Prediction | Failure, system: str) -> str:
    """Return the line of a document; ``system`` is the short signature of the system."""
    return to_json(outcome_record(outcome, system)) + "\n"


def run_record(run: Run) -> Record:
    """Return a run as one record: its header, and ``documents``, predictions in order before failures."""
    outcomes: tuple[Prediction | Failure, ...] = (*run.predictions, *run.failures)
    return {**_header_record(run), "documents": [outcome.to_dict() for outcome in outcomes]}


def plain_record(prediction: Prediction, system: str | None) -> Record:
    """Return the record of a prediction, without the key ``system`` if that is None."""
    record = prediction_record(prediction, system or "")
    if system is None:
        del record["system"]
    return record


def _header_record(run: Run) -> Record:
    header = {name: getattr(run, name) for name in _HEADER}
    return {**header, "environment": dict(run.environment), "seconds": run.seconds, "texts": run.texts}


def read_run(lines: Iterable[str], name: str) -> Run:
    """Return a run from the lines of its file, or from what ``extract`` wrote, without header; skip empty lines.

    ``lines``: with or without line ends; ``name``: of the file, for messages.

    Raises:
        BadRecord: a line is invalid, or a document comes twice; the message names the line.
    """
    header: dict[str, Any] = {}
    outcomes: dict[str, Prediction | Failure] = {}
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = an_object(json.loads(line))
            if not header and "id" not in record:
                header = dict(_checked_header(record))
                continue
            header = header or dict(_NO_HEADER)
            header["system"] = header["system"] or record.get("signature") or record.get("system") or ""
            outcome = read_outcome(record)
            if outcome.document_id in outcomes:
                raise ValueError(f"document {outcome.document_id!r} comes twice")  # noqa: TRY301 - one place adds the line
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise BadRecord(
                f"line {at} of {name}: {_reason(error)}", "expected a file that `keywright run` wrote"
            ) from None
        outcomes[outcome.document_id] = outcome
    if not header:
        raise BadRecord(
            f"{name} is empty", "expected a file that `keywright run` wrote: a header, then one record per document"
        )
    return Run(
        system=header["system"],
        data=header["data"],
        analyser=header["analyser"],
        predictions=tuple(outcome for outcome in outcomes.values() if isinstance(outcome, Prediction)),
        failures=tuple(outcome for outcome in outcomes.values() if isinstance(outcome, Failure)),
        seconds=header.get("seconds"),
        environment=dict(header["environment"]),
        texts=str(header.get("texts", "")),
    )


def read_outcome(record: Mapping[str, Any]) -> Prediction | Failure:
    """Return a prediction or a failure from its record; unknown keys are ignored, ``present`` follows from spans."""
    document_id = text(record["id"], "id")
    if "error" in record:
        error = an_object(record["error"])
        code, message, hint = (text(error[key], key) for key in ("code", "message", "hint"))
        return Failure(document_id, code, message, hint, an_object(record.get("meta", {})))
    keyphrases = tuple(map(_keyphrase, a_list(record["keyphrases"], "keyphrases")))
    coverage, chosen, language = record.get("coverage"), record.get("chosen"), record.get("language")
    return Prediction(
        document_id=document_id,
        keyphrases=keyphrases,
        chosen=None if chosen is None else whole(chosen, "chosen"),
        coverage=coverage and Coverage(whole(coverage["read"], "read"), whole(coverage["given"], "given")),
        warnings=texts(record.get("warnings", []), "warnings"),
        language=None if language is None else text(language, "language"),
        author_keywords=texts(record.get("author_keywords", []), "author_keywords"),
        profile=tuple(whole(count, "profile") for count in a_list(record.get("profile", []), "profile")),
        assumes=_assumption(record["assumes"]) if record.get("assumes") else None,
        meta=an_object(record.get("meta", {})),
    )


def _assumption(value: Any) -> Assumption:
    record = an_object(value)
    expected = record.get("expected")
    return Assumption(text(record["style"], "style"), None if expected is None else number(expected, "expected"))


def _keyphrase(value: Any) -> Keyphrase:
    record = an_object(value)
    probability, acronym = record.get("probability"), record.get("acronym")
    if probability is not None and not 0 <= number(probability, "probability") <= 1:
        raise ValueError(f"probability {probability} is not between 0 and 1")
    return Keyphrase(
        text=text(record["text"], "text"),
        score=number(record["score"], "score"),
        probability=probability,
        spans=tuple(_span(span) for span in a_list(record.get("spans", []), "spans")),
        evidence={name: number(item, name) for name, item in an_object(record.get("evidence", {})).items()},
        grounds=_grounds(record) if "places" in record else None,
        acronym=acronym and Acronym(text(acronym["short"], "short"), text(acronym["long"], "long")),
        generation=read_generation(record["generation"]) if record.get("generation") else None,
        lemma=None if record.get("lemma") is None else text(record["lemma"], "lemma"),
        concept=Concept.from_dict(record["concept"]) if record.get("concept") else None,
        ambiguous=texts(record.get("ambiguous", []), "ambiguous"),
    )


def _grounds(record: Mapping[str, Any]) -> Grounds:
    sentence = record.get("sentence")
    return Grounds(
        reasons={reason: texts(names, reason) for reason, names in an_object(record.get("reasons", {})).items()},
        places=tuple(map(_place, a_list(record["places"], "places"))),
        sentence=sentence and Sentence(text(sentence["text"], "text"), *_span(sentence["span"])),
    )


def _place(value: Any) -> Place:
    place = an_object(value)
    page = place.get("page")
    mentions = whole(place["mentions"], "mentions")
    return Place(SectionKind(place["section"]), None if page is None else whole(page, "page"), mentions)


def _checked_header(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a header: text under each name, an environment of texts, seconds or none."""
    for name in _HEADER:
        text(record[name], name)
    for name, value in an_object(record["environment"]).items():
        text(value, name)
    if record.get("seconds") is not None:
        number(record["seconds"], "seconds")
    return record


def _span(value: Any) -> tuple[int, int]:
    start, end = (whole(offset, "offset") for offset in a_list(value, "span"))
    if start > end:
        raise ValueError(f"span [{start}, {end}) ends before it starts")
    return start, end


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"not valid JSON ({error.msg} at character {error.pos + 1})"
        case KeyError():
            return f"{error.args[0]!r} is missing"
        case RecursionError():
            return "nested too deeply"
        case _:
            return str(error)
