"""Documents, predictions and runs as JSON records, shared by files, processes, the command line and the service."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias

from keywright.core.citations import Citation
from keywright.core.documents import Document, SectionKind, cover_sections
from keywright.core.errors import BadRecord
from keywright.core.json_values import check_object, check_text, decode_fields, encode, to_json
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Outcome, Prediction, Run
from keywright.core.signatures import short_signature

Record: TypeAlias = dict[str, Any]
_EXPECTED: Final = "expected a file that `keywright run` wrote"


def outcome_record(outcome: Outcome, system: str) -> Record:
    """Return the record of a prediction or a failure; ``system`` is the short signature of its system."""
    return outcome.to_dict() if isinstance(outcome, Failure) else outcome.to_dict(system)


def run_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a run file, with line ends: header, predictions in order, failures."""
    system = short_signature(run.system)
    yield header_line(run)
    yield from (outcome_line(outcome, system) for outcome in run.outcomes)


def header_line(run: Run) -> str:
    """Return the first line of a run file."""
    return to_json(run.header()) + "\n"


def outcome_line(outcome: Outcome, system: str) -> str:
    """Return the line of a document; ``system`` is the short signature of the system."""
    return to_json(outcome_record(outcome, system)) + "\n"


def read_run(lines: Iterable[str], name: str) -> Run:
    """Return a run from the lines of its file ``name``, or of ``extract``; ``BadRecord`` names a line that is wrong."""
    run = None
    outcomes: dict[str, Outcome] = {}
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = check_object(json.loads(line))
            if run is None and "id" not in record:
                run = decode_fields(Run, {**record, "predictions": []})
                check_object(record["environment"])  # it has a default, and headers have one
                continue
            run = run or Run("", "", "", ())
            run = run if run.system else replace(run, system=record.get("signature") or record.get("system") or "")
            outcome = read_outcome(record)
            if outcome.document_id in outcomes:
                raise ValueError(f"document {outcome.document_id!r} comes twice")  # noqa: TRY301 - one place adds the line
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise BadRecord(f"line {at} of {name}: {_explain(error)}", _EXPECTED) from None
        outcomes[outcome.document_id] = outcome
    if run is None:
        raise BadRecord(f"{name} is empty", f"{_EXPECTED}: a header, then one record per document")
    failures = tuple(outcome for outcome in outcomes.values() if isinstance(outcome, Failure))
    return replace(
        run, predictions=tuple(each for each in outcomes.values() if isinstance(each, Prediction)), failures=failures
    )


def read_outcome(record: Mapping[str, Any]) -> Outcome:
    """Return a prediction or a failure from its record; unknown keys are ignored, ``present`` follows from spans."""
    if "error" in record:
        document_id = check_text(record["id"], "id")
        error = check_object(record["error"])
        code, message, hint = (check_text(error[key], key) for key in ("code", "message", "hint"))
        return Failure(document_id, code, message, hint, check_object(record.get("meta", {})))
    return decode_fields(Prediction, record)


def _explain(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"not valid JSON ({error.msg} at character {error.pos + 1})"
        case KeyError():
            return f"{error.args[0]!r} is missing"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


@dataclass(frozen=True, slots=True)
class FinishedRecord:
    """The record of one outcome as one line of JSON, and what is asked of it where all records come together.

    A worker process makes the text, so that its parent need not: it is read again only for the rare changes.
    ``warnings``, ``profile``: of a prediction; ``failure``: of a document without one.
    """

    document_id: str
    text: str
    warnings: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()
    failure: Failure | None = None

    def rename(self, document_id: str, warning: str) -> "FinishedRecord":
        """Return the record under another id; a prediction has a warning about it."""
        record = replace(self.extend({"id": document_id}), document_id=document_id)
        if record.failure is None:
            return record.add_warning(warning)
        return replace(record, failure=replace(record.failure, document_id=document_id))

    def add_warning(self, warning: str) -> "FinishedRecord":
        """Return the record with one more warning."""
        warnings = (*self.warnings, warning)
        return replace(self.extend({"warnings": list(warnings)}), warnings=warnings)

    def extend(self, values: Mapping[str, Any]) -> "FinishedRecord":
        """Return the record with other values of its keys, or more keys behind them."""
        return replace(self, text=to_json(json.loads(self.text) | dict(values)))


def sign_records(
    records: Iterable[FinishedRecord], signature: str, options: Mapping[str, Any], *, signed: bool = False
) -> Iterator[str]:
    """Yield the text of each record; the first of a prediction has the system's full signature, and the options."""
    for record in records:
        if signed or record.failure is not None:
            yield record.text
        else:
            signed = True
            yield record.extend({"signature": signature, **({"options": dict(options)} if options else {})}).text


def labelled_record(
    document: Document, keyphrases: Iterable[Keyphrase], by: str, *, rejected: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the record of a document: its text by sections, its citation, and phrases as gold of a kind.

    Metadata that describe the file, such as where pages begin, are left out. ``keyphrases``: that a person chose, each
    text listed once, and its concept under ``concepts``; ``by``: such as ``author``; ``rejected``: phrases that the
    person was shown and did not choose, which are for people: no verb reads them.
    """
    record: dict[str, Any] = {"id": document.id}
    texts = ((section.kind, document.text[section.start : section.end].strip()) for section in cover_sections(document))
    parts = [(kind, text) for kind, text in texts if text]
    if parts and parts[0][0] is SectionKind.TITLE:
        record["title"] = parts.pop(0)[1]
    if len(parts) == 1 and parts[0][0] is SectionKind.BODY:
        record["text"] = parts[0][1]
    else:
        record["sections"] = [{"kind": kind.value, "text": text} for kind, text in parts]
    if document.language:
        record["language"] = document.language
    citation = Citation.from_meta(document.meta).as_meta()
    record |= {name: value for name, value in citation.items() if name != "title"}
    concepts = {keyphrase.text: keyphrase.concept for keyphrase in keyphrases}
    record |= {"keyphrases": list(concepts), "by": by}
    if any(concepts.values()):
        record["concepts"] = {text: concept.to_dict() for text, concept in concepts.items() if concept}
    others = list(dict.fromkeys(rejected))
    return record | ({"rejected": others} if others else {})


def encode_item(item: Document | Failure) -> str:
    """Return a document or failure as one line of JSON, ASCII only."""
    if isinstance(item, Failure):
        return json.dumps({"failure": [item.document_id, item.code, item.message, item.hint]})
    return json.dumps(document_record(item))


def decode_item(line: str | bytes) -> Document | Failure:
    """Return what ``encode_item`` wrote; raise ``ValueError``, ``TypeError`` or ``LookupError`` for anything else."""
    record: dict[str, Any] = json.loads(line)
    if "failure" in record:
        name, code, message, hint = map(str, record["failure"])
        return Failure(name, code, message, hint)
    return read_document(record)


def document_record(document: Document) -> dict[str, Any]:
    """Return a document as JSON values."""
    record = {field.name: getattr(document, field.name) for field in fields(document)}
    return record | {name: encode(record[name]) for name in ("sections", "coverage")} | {"meta": dict(document.meta)}


def read_document(record: Mapping[str, Any]) -> Document:
    """Return the document of ``document_record``; errors as for ``decode_item``."""
    return decode_fields(Document, record)
