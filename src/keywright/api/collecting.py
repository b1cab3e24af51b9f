"""From documents to a collection: phrases of many documents, extracted or there already, counted together."""

import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Unpack

from keywright.api.extracting import prepare
from keywright.api.inputs import SystemLike, is_document, named_items, read_item
from keywright.collecting.collected import Collection, summarise
from keywright.collecting.finished import FinishedColumns, find_reader, list_phrases
from keywright.collecting.network import find_similar
from keywright.collecting.store import PhrasesOfDocument, Store, finish_document
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, EmptyInput, KeywrightError, UnreadableInput
from keywright.core.interfaces import Progress
from keywright.core.options import Length, ListKeywords
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import read_outcome
from keywright.reading.file_names import explain_missing, path_exists
from keywright.reading.formats import BY_NAME, HEAD, IN_TAGS
from keywright.reading.language_identification import check_language
from keywright.reading.phrase_lists import read_merges
from keywright.reading.sources import DEFAULT_LIMITS, Unread, find_files, read_stream
from keywright.reading.tables.files import NamedTables
from keywright.reading.tables.rows import TableColumns
from keywright.running.engines import engine as executor
from keywright.running.extraction import Source
from keywright.running.file_extraction import FromFiles, map_files, read_documents
from keywright.text.user_encoders import EncoderLike, host_of, make_encoder

_MOST_SIMILAR: Final = 20_000  # Documents up to which the similar ones of each are listed; arbitrary
_SHOWN_FAILURES: Final = 10  # Failures that are kept with their reasons; arbitrary
_RECORDS: Final = tuple(end for name in ("marc", "marcxml", "references") for end in BY_NAME[name].extensions)
"""Ends of files whose records have subjects that people chose."""


def collection(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    inputs: Any,
    by: str | None = None,
    *,
    phrases_column: str | None = None,
    text_column: str | None = None,
    title_column: str | None = None,
    id_column: str | None = None,
    state: str | Path | None = None,
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    encoder: EncoderLike | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[ListKeywords],
) -> Collection:
    """Count the keyphrases of many documents: all forms of a phrase together, by group, with clusters and trends.

    >>> import keywright as kw
    >>> lists = [{"id": "a", "keyphrases": ["Neural networks"]}, {"id": "b", "keyphrases": ["neural network"]}]
    >>> [(phrase.text, phrase.documents) for phrase in kw.collection(lists).phrases]
    [('Neural networks', 2)]

    Finished keyphrases are taken as they are: results of ``extract``, a column of a table, RIS, BibTeX, MARC, exports
    of Web of Science and Scopus. All other documents are read, and their keyphrases extracted.

    Args:
        inputs: files and folders, or one; documents, predictions, or records with ``keyphrases``; or phrases by id.
        by: column of groups, such as ``year``, ``source`` or ``language``; None for no groups.
        phrases_column: column or key of finished keyphrases.
        text_column, title_column, id_column: columns of tables of texts.
        encoder: one that joins phrases of the same meaning: ``minilm``, the folder or address of a model, or a function
            from texts to vectors; likely pairs are merged, doubtful ones are suggestions.
        options: those of ``extract``; ``merges`` is a table with the columns *form* and *phrase*, or phrases by form:
            an empty phrase drops its form.
        state: file that keeps the phrases, without texts: the same call with more inputs counts all of them.

    Raises:
        EmptyInput: no document can be counted.
        UnknownName: no document has the column ``by``.
    """
    listed, notes = read_merges(options.pop("merges", None) or {})
    remarks: dict[str, None] = dict.fromkeys(notes)
    code = check_language(language) if language else None
    columns = FinishedColumns(phrases_column, id_column, code, remarks.setdefault)
    encode = None if encoder is None else make_encoder(encoder)
    if encode is not None and (host := host_of(encode)):
        columns.tell(f"phrases were sent to {host}")
    extraction = prepare(system, top, language, **options)
    tables = None
    if text_column:
        tables = NamedTables(TableColumns(text_column, title_column, id_column, None), columns.tell)
    store = Store(Path(state) if state else None)
    try:
        before, counted = len(store), Counter[str]()
        failures: list[Failure] = []
        items = _list_items(inputs, columns, tables)
        work = FromFiles(replace(extraction, meta=True), finish_document)
        finished = _extract_missing(items, partial(map_files, executor(engine, jobs), work), counted)
        repeated = store.add(_count_items(finished, failures, counted, progress))
        if not len(store):
            reason, hint = "nothing was given", "name files of documents"
            if failures:
                reason, hint = f"{failures[0].document_id}: {failures[0].message}", failures[0].hint
            raise EmptyInput(f"no document can be counted: {reason}", hint)
        remarks |= dict.fromkeys(_list_notes(store, counted, repeated, before))
        result = summarise(store, by, listed, encode)
        similar = tuple(find_similar(store)) if len(store) <= _MOST_SIMILAR else ()
    finally:
        store.close()
    every = (*remarks, *result.warnings)
    return replace(result, warnings=every, similar=similar, failures=tuple(failures), failed=counted["failed"])


def _list_items(
    inputs: Any, columns: FinishedColumns, tables: NamedTables | None
) -> Iterator[PhrasesOfDocument | Source]:
    """Yield finished documents, and sources of those whose keyphrases are to be extracted."""
    if isinstance(inputs, Mapping) and not {"text", "title", "abstract", "sections", "keyphrases"} & inputs.keys():
        yield from (_read_record(str(name), {"keyphrases": phrases}, columns) for name, phrases in inputs.items())
        return
    if is_document(inputs) or isinstance(inputs, Prediction | Failure):
        inputs = [inputs]
    for name, item in named_items(inputs)[0]:
        match item:
            case Prediction():
                yield finish_document(None, item)
            case Mapping() if "keyphrases" in item or columns.phrases in item:
                yield _read_record(name, item, columns)
            case str() if item == "-":
                yield from read_stream(sys.stdin.buffer, "stdin")
            case Unread():
                yield from _list_file_items((item,), columns, tables)
            case str() | Path() if path_exists(item):
                yield from _list_file_items(find_files(Path(item), None), columns, tables)
            case Path():
                yield Failure.from_error(str(item), UnreadableInput(*explain_missing(str(item))))
            case _:
                yield read_item(item, name)


def _read_record(name: str, record: Mapping[str, Any], columns: FinishedColumns) -> PhrasesOfDocument | Failure:
    """Return the document of a record with finished keyphrases, texts or results of ``extract``."""
    values, label = record.get(columns.phrases or "keyphrases"), str(record.get("id", name))
    try:
        if isinstance(values, list) and values and all(isinstance(each, Mapping) for each in values):
            return finish_document(None, read_outcome({"language": None, **record, "id": label}))
        phrases = list_phrases(values)
    except (TypeError, ValueError, LookupError):
        error = BadParameter(f"keyphrases of {label!r} are {values!r:.80}", "expected a list of phrases")
        return Failure.from_error(label, error)
    text = ". ".join(str(record[key]) for key in ("title", "abstract", "text") if record.get(key))
    return columns.make(label, phrases, text, {key: value for key, value in record.items() if key != "text"})


def _list_file_items(
    files: Iterable[Unread | Failure], columns: FinishedColumns, tables: NamedTables | None
) -> Iterator[PhrasesOfDocument | Source]:
    """Yield what files hold; an error costs its file only."""
    for file in files:
        if isinstance(file, Failure):
            yield file
            continue
        try:
            if tables is not None and tables.reads(file.name):
                yield from tables.documents(file.path, file.name, DEFAULT_LIMITS)
            elif reader := find_reader(file, columns):
                yield from reader()
            elif file.name.lower().endswith(_RECORDS) or IN_TAGS.match(file.head(HEAD)):
                yield from _read_catalogue(file, columns)
            else:
                yield from file.lines() if file.of_records else (file,)
        except (KeywrightError, OSError) as error:
            yield Failure.from_error(
                file.name, error if isinstance(error, KeywrightError) else UnreadableInput(str(error))
            )


def _read_catalogue(file: Unread, columns: FinishedColumns) -> Iterator[PhrasesOfDocument | Source]:
    """Yield the records of a catalogue or bibliography: with their subjects, or, without any, as documents."""
    for document in read_documents(file):
        named = document.meta.get(columns.phrases or "author_keywords")
        if isinstance(document, Document) and isinstance(named, str | list) and (subjects := list_phrases(named)):
            yield columns.make(document.id, subjects, document.text, {"language": document.language, **document.meta})
        else:
            yield document


def _extract_missing(
    items: Iterable[Any], extract: Callable[[Iterable[Source]], Iterator[Any]], counted: Counter[str]
) -> Iterator[PhrasesOfDocument | Failure]:
    """Yield finished documents and failures as they are, others when their keyphrases are extracted."""
    for is_finished, group in itertools.groupby(items, lambda item: isinstance(item, PhrasesOfDocument | Failure)):
        if is_finished:
            for item in group:
                counted["finished"] += isinstance(item, PhrasesOfDocument)
                yield item
        else:
            for item in extract(group):
                is_document = isinstance(item, PhrasesOfDocument)
                counted["extracted"] += is_document
                counted["certain"] += is_document and any(use.probability == 1 for use in item.phrases)
                yield item


def _count_items(
    items: Iterable[PhrasesOfDocument | Failure],
    failures: list[Failure],
    counted: Counter[str],
    progress: Progress | None,
) -> Iterator[PhrasesOfDocument]:
    for done, item in enumerate(items, start=1):
        if isinstance(item, Failure):
            counted["failed"] += 1
            failures += [item] if len(failures) < _SHOWN_FAILURES else []
        else:
            counted["empty"] += not item.phrases
            yield item
        if progress:
            progress(done, 0)


def _list_notes(store: Store, counted: Counter[str], repeated: Counter[str], before: int) -> Iterator[str]:
    if before:
        yield f"{before:,} documents were counted before, {len(store) - before:,} are new"
    if repeated:
        first = next(iter(repeated))
        yield f"{repeated.total():,} documents were left out, whose id was there before, such as {first!r}"
    if counted["finished"] and counted["extracted"]:
        there, new = counted["finished"], counted["extracted"]
        yield f"keyphrases of {there:,} documents were there, those of {new:,} were extracted"
    if counted["empty"]:
        yield f"documents without a keyphrase: {counted['empty']:,}"
    if counted["failed"]:
        yield f"documents that failed, and are not counted: {counted['failed']:,}"
    if counted["certain"]:
        yield f"documents without probabilities, whose keyphrases count as certain: {counted['certain']:,}"
    if len(store) == 1:
        yield "there is only one document: counts, links and trends need more"
