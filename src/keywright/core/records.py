"""Documents, predictions and runs as JSON records, shared by files, processes, the command line and the service.

A run file is JSON Lines: a header (``system``, ``data``, ``analyser``, ``environment``, ``seconds``), then one record
per document. A document that failed has ``error`` in place of keyphrases.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from keywright.core.citations import Citation
from keywright.core.concepts import Concept
from keywright.core.documents import Coverage, Document, Section, SectionKind, cover_sections
from keywright.core.errors import BadRecord
from keywright.core.json_values import (
    check_count,
    check_list,
    check_number,
    check_numbers,
    check_object,
    check_text,
    check_texts,
    to_json,
)
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
    record = check_object(value)
    start, end, slot = (record.get(name) for name in ("start", "end", "slot"))
    return Generation(
        tokens=check_texts(record["tokens"], "tokens"),
        log_probabilities=check_numbers(record["log_probabilities"], "log_probabilities"),
        end=None if end is None else check_number(end, "end"),
        start=None if start is None else check_number(start, "start"),
        slot=None if slot is None else check_count(slot, "slot"),
        words=check_count(record["words"], "words"),
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
            record = check_object(json.loads(line))
            if not header and "id" not in record:
                header = dict(_check_header(record))
                continue
            header = header or dict(_NO_HEADER)
            header["system"] = header["system"] or record.get("signature") or record.get("system") or ""
            outcome = read_outcome(record)
            if outcome.document_id in outcomes:
                raise ValueError(f"document {outcome.document_id!r} comes twice")  # noqa: TRY301 - one place adds the line
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise BadRecord(
                f"line {at} of {name}: {_explain(error)}", "expected a file that `keywright run` wrote"
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
    document_id = check_text(record["id"], "id")
    if "error" in record:
        error = check_object(record["error"])
        code, message, hint = (check_text(error[key], key) for key in ("code", "message", "hint"))
        return Failure(document_id, code, message, hint, check_object(record.get("meta", {})))
    keyphrases = tuple(map(_read_keyphrase, check_list(record["keyphrases"], "keyphrases")))
    coverage, chosen, language = record.get("coverage"), record.get("chosen"), record.get("language")
    return Prediction(
        document_id=document_id,
        keyphrases=keyphrases,
        chosen=None if chosen is None else check_count(chosen, "chosen"),
        coverage=coverage and Coverage(check_count(coverage["read"], "read"), check_count(coverage["given"], "given")),
        warnings=check_texts(record.get("warnings", []), "warnings"),
        language=None if language is None else check_text(language, "language"),
        author_keywords=check_texts(record.get("author_keywords", []), "author_keywords"),
        profile=tuple(check_count(count, "profile") for count in check_list(record.get("profile", []), "profile")),
        assumes=_read_assumption(record["assumes"]) if record.get("assumes") else None,
        meta=check_object(record.get("meta", {})),
    )


def _read_assumption(value: Any) -> Assumption:
    record = check_object(value)
    expected = record.get("expected")
    return Assumption(
        check_text(record["style"], "style"), None if expected is None else check_number(expected, "expected")
    )


def _read_keyphrase(value: Any) -> Keyphrase:
    record = check_object(value)
    probability, acronym = record.get("probability"), record.get("acronym")
    if probability is not None and not 0 <= check_number(probability, "probability") <= 1:
        raise ValueError(f"probability {probability} is not between 0 and 1")
    return Keyphrase(
        text=check_text(record["text"], "text"),
        score=check_number(record["score"], "score"),
        probability=probability,
        spans=tuple(_read_span(span) for span in check_list(record.get("spans", []), "spans")),
        evidence={name: check_number(item, name) for name, item in check_object(record.get("evidence", {})).items()},
        grounds=_read_grounds(record) if "places" in record else None,
        acronym=acronym and Acronym(check_text(acronym["short"], "short"), check_text(acronym["long"], "long")),
        generation=read_generation(record["generation"]) if record.get("generation") else None,
        lemma=None if record.get("lemma") is None else check_text(record["lemma"], "lemma"),
        concept=Concept.from_dict(record["concept"]) if record.get("concept") else None,
        ambiguous=check_texts(record.get("ambiguous", []), "ambiguous"),
    )


def _read_grounds(record: Mapping[str, Any]) -> Grounds:
    sentence = record.get("sentence")
    return Grounds(
        reasons={
            reason: check_texts(names, reason) for reason, names in check_object(record.get("reasons", {})).items()
        },
        places=tuple(map(_read_place, check_list(record["places"], "places"))),
        sentence=sentence and Sentence(check_text(sentence["text"], "text"), *_read_span(sentence["span"])),
    )


def _read_place(value: Any) -> Place:
    place = check_object(value)
    page = place.get("page")
    mentions = check_count(place["mentions"], "mentions")
    return Place(SectionKind(place["section"]), None if page is None else check_count(page, "page"), mentions)


def _check_header(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a header: text under each name, an environment of texts, seconds or none."""
    for name in _HEADER:
        check_text(record[name], name)
    for name, value in check_object(record["environment"]).items():
        check_text(value, name)
    if record.get("seconds") is not None:
        check_number(record["seconds"], "seconds")
    return record


def _read_span(value: Any) -> tuple[int, int]:
    start, end = (check_count(offset, "offset") for offset in check_list(value, "span"))
    if start > end:
        raise ValueError(f"span [{start}, {end}) ends before it starts")
    return start, end


def _explain(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"not valid JSON ({error.msg} at character {error.pos + 1})"
        case KeyError():
            return f"{error.args[0]!r} is missing"
        case RecursionError():
            return "nested too deeply"
        case _:
            return str(error)


@dataclass(frozen=True, slots=True)
class FinishedRecord:
    """The record of one outcome as JSON, and what is asked of it where all records come together.

    A worker process makes the text, so that its parent need not: it is read again only for the rare changes.

    Attributes:
        document_id: the document's id.
        text: the record, one line of JSON without its end.
        warnings: warnings of a prediction.
        profile: profile of a prediction, see ``Prediction``.
        failure: the failure, of a document without a prediction.
    """

    document_id: str
    text: str
    warnings: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()
    failure: Failure | None = None

    def renamed(self, document_id: str, warning: str) -> "FinishedRecord":
        """Return the record under another id; a prediction has a warning about it."""
        record = self.extended({"id": document_id})
        if record.failure is not None:
            failure = replace(record.failure, document_id=document_id)
            return replace(record, document_id=document_id, failure=failure)
        return replace(record, document_id=document_id).warned(warning)

    def warned(self, warning: str) -> "FinishedRecord":
        """Return the record with one more warning."""
        warnings = (*self.warnings, warning)
        return replace(self.extended({"warnings": list(warnings)}), warnings=warnings)

    def extended(self, values: Mapping[str, Any]) -> "FinishedRecord":
        """Return the record with other values of its keys, or more keys behind them."""
        return replace(self, text=to_json(json.loads(self.text) | dict(values)))


def sign_records(
    records: Iterable[FinishedRecord], signature: str, options: Mapping[str, Any], *, signed: bool = False
) -> Iterator[str]:
    """Yield the text of each record; the first of a prediction has the full signature of the system, and the options.

    Args:
        records: of one output, in order.
        signature: full signature of the system.
        options: options that decide the results, left out if there are none.
        signed: whether the output has it already.
    """
    for record in records:
        if signed or record.failure is not None:
            yield record.text
        else:
            signed = True
            yield record.extended({"signature": signature, **({"options": dict(options)} if options else {})}).text


def labelled_record(
    document: Document, keyphrases: Iterable[Keyphrase], by: str, *, rejected: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the record of a document: its text by sections, its citation, and phrases as gold of a kind.

    Metadata that describe the file, such as where pages begin, are left out.

    Args:
        document: whose sections are read back as they are.
        keyphrases: that a person chose; each text is listed once, and its concept, if it has one, under ``concepts``.
        by: kind of the gold: ``author``, ``reader``, ``indexer`` ...
        rejected: phrases that the person was shown and did not choose. They are for people: no verb reads them.
    """
    record: dict[str, Any] = {"id": document.id}
    parts = list(_list_parts(document))
    title = next((text for kind, text in parts[:1] if kind is SectionKind.TITLE), "")
    if title:
        parts = parts[1:]
    if len(parts) == 1 and parts[0][0] is SectionKind.BODY:
        texts: dict[str, Any] = {"text": parts[0][1]}
    else:
        texts = {"sections": [{"kind": kind.value, "text": text} for kind, text in parts]}
    citation = Citation.from_meta(document.meta).as_meta()
    record |= ({"title": title} if title else {}) | texts
    record |= {"language": document.language} if document.language else {}
    record |= {name: value for name, value in citation.items() if name != "title"}
    concepts = {keyphrase.text: keyphrase.concept for keyphrase in keyphrases}
    record |= {"keyphrases": list(concepts), "by": by}
    if any(concepts.values()):
        record["concepts"] = {text: concept.to_dict() for text, concept in concepts.items() if concept}
    others = list(dict.fromkeys(rejected))
    return record | ({"rejected": others} if others else {})


def _list_parts(document: Document) -> Iterator[tuple[SectionKind, str]]:
    """Yield the text of a document, piece by piece, each with the kind of its section, body where it has none."""
    for section in cover_sections(document):
        if text := document.text[section.start : section.end].strip():
            yield section.kind, text


def encode_item(item: Document | Failure) -> str:
    """Return a document or failure as one line of JSON, ASCII only."""
    if isinstance(item, Failure):
        return json.dumps({"failure": [item.document_id, item.code, item.message, item.hint]})
    return json.dumps(document_record(item))


def decode_item(line: str | bytes) -> Document | Failure:
    """Return what ``as_json`` wrote.

    Raises:
        ValueError, TypeError, LookupError: it is something else.
    """
    record: dict[str, Any] = json.loads(line)
    if "failure" in record:
        name, code, message, hint = map(str, record["failure"])
        return Failure(name, code, message, hint)
    return read_document(record)


def document_record(document: Document) -> dict[str, Any]:
    """Return a document as JSON values."""
    return {
        "id": document.id,
        "text": document.text,
        "sections": [[section.kind.value, section.start, section.end] for section in document.sections],
        "language": document.language,
        "meta": dict(document.meta),
        "coverage": None if document.coverage is None else [document.coverage.read, document.coverage.given],
        "warnings": list(document.warnings),
    }


def read_document(record: Mapping[str, Any]) -> Document:
    """Return the document of ``document_record``.

    Raises:
        ValueError, TypeError, LookupError: it is something else.
    """
    coverage = record["coverage"]
    return Document(
        id=str(record["id"]),
        text=str(record["text"]),
        sections=tuple(Section(SectionKind(kind), int(start), int(end)) for kind, start, end in record["sections"]),
        language=None if record["language"] is None else str(record["language"]),
        meta=dict(record["meta"]),
        coverage=None if coverage is None else Coverage(int(coverage[0]), int(coverage[1])),
        warnings=tuple(map(str, record["warnings"])),
    )
