"""Files of lines and of JSON: tables, TREC, SemEval-2010, generators, folders of lists, our own runs, and others.

Tables are CSV, also with semicolons or tabs, with a header that names the columns in any order; lists are ordered by
rank, else by score, else by line. TREC's ``qid Q0 docno rank score tag`` has the document's id as qid and the phrase as
docno; ids and phrases may contain blanks, and lists are ordered by score, as TREC's programs do. In folders, one file
per document, a line is a phrase: in ``.res`` of evalHulth2003 also an empty one, in ``.key`` of Kea and Maui the text
before a tab, where some tools write scores. Records of KPEval are predictions with their own texts and gold. References
of ake-datasets serve as gold and as runs; the kind of gold is part of the file name, as in ``test.author.stem.json``,
and with ``.stem.`` phrases are stems.
"""

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.json_values import check_text
from keywright.core.records import read_run
from keywright.evaluation.answers import Answers, parse_answers
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats import format as frame
from keywright.evaluation.run_formats.format import LoadedRun, PhraseLists, RunFormat, Source, locate_errors

_MARK: Final = re.compile(r"\s*(?:<eos>|<eot>|<sep>|\[sep\]|\[SEP\])\s*")
_KPEVAL_EXPECTED: Final = '{"source": "…", "target": "a;b" or ["a", "b"], "prediction": "a;b" or ["a", "b"]}'
_PREDICTED: Final = ("prediction", "predictions")
_OPENNMT_EXPECTED: Final = 'a list "pred_sents" or "preds" on each line'
_AKE_EXPECTED: Final = '{"id": [["phrase", "variant"], ["phrase"]], …}'
_AKE_START: Final = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\["\]]')
_KIND: Final = re.compile(r"\b(author|reader|combined|indexer|editor|uncontr|contr|extra)\b")


def iterate_records(source: Source, expected: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield line numbers and objects; blank lines are skipped."""
    for number, line in enumerate(source.text().split("\n"), start=1):
        if not line.strip():
            continue
        with locate_errors(f"line {number} of {source.name} is not valid JSON", expected):
            value = json.loads(line)
        if not isinstance(value, dict):
            raise BadRecord(f"line {number} of {source.name} is not a JSON object", f"expected {expected}")
        yield number, value


def parse_phrases(value: Any) -> tuple[str, ...]:
    """Parse phrases: a string separated by ``;``, a list of strings, or a list of lists of tokens; drop blank ones."""
    if not isinstance(value, str | list):
        raise TypeError(f"{value!r:.60} is not a list of phrases")
    phrases = []
    for piece in value.split(";") if isinstance(value, str) else value:
        phrase = piece
        if isinstance(piece, list) and all(isinstance(token, str) for token in piece):
            phrase = " ".join(piece)
        if not isinstance(phrase, str):
            raise TypeError(f"{piece!r:.60} is not a phrase")
        phrases.append(phrase.strip())
    return tuple(filter(None, phrases))


def split_title(name: str, source: str) -> Document:
    """Put title and abstract on two lines, without the first mark; a text without a mark has no sections."""
    title, *rest = _MARK.split(source, maxsplit=1)
    if not rest:
        return Document(name, source)
    text = f"{title}\n{rest[0]}"
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, len(title) + 1, len(text))
    return Document(name, text, sections)


def _read_native(source: Source) -> LoadedRun:
    try:
        lines = source.text().split("\n")  # only line feeds end lines: JSON strings may contain other separators
    except BadRecord as error:
        raise BadRecord(error.message, "`keywright run SYSTEM DATASET -o RUN` writes one") from None
    return LoadedRun("keywright", read_run(lines, source.name))


def _read_kpeval(source: Source) -> LoadedRun:
    lists, labelled, numbered = [], {}, True
    for number, record in iterate_records(source, _KPEVAL_EXPECTED):
        name = str(record.get("id", number))
        numbered = numbered and "id" not in record
        with locate_errors(f"line {number} of {source.name}", _KPEVAL_EXPECTED):
            document = split_title(name, check_text(record["source"], "source"))
            labelled[name] = frame.label_document(document, parse_phrases(record["target"]))
            key = next((key for key in _PREDICTED if key in record), _PREDICTED[0])
            lists.append((name, parse_phrases(record[key])))
    return frame.load_lists(source.sha256, "kpeval", lists, numbered=numbered, labelled=labelled.values(), empty=True)


def _read_opennmt(source: Source) -> LoadedRun:
    lists = []
    for count, (number, record) in enumerate(iterate_records(source, _OPENNMT_EXPECTED), start=1):
        with locate_errors(f"line {number} of {source.name}", _OPENNMT_EXPECTED):
            predicted = parse_phrases(record.get("pred_sents") or record.get("preds") or [])
        lists.append((str(count), [phrase for phrase in predicted if phrase != PRESENT_END]))
    return frame.load_lists(source.sha256, "opennmt", lists, numbered=True, empty=True)


def _read_ake(source: Source) -> LoadedRun:
    entries, repeated = _parse_entries(source)
    notes = frame.count_note(repeated, "ids come again, the last one counts")
    lists = {name: tuple(forms[0] for forms in phrases) for name, phrases in entries.items()}
    if ".stem." not in source.name:
        return frame.load_lists(source.sha256, "ake", lists.items(), notes)
    return LoadedRun("ake", Answers(f"ake|sha256:{source.sha256}", lists, len(lists) + repeated, repeated), notes)


def _read_gold_ake(source: Source) -> PhraseLists:
    entries, repeated = _parse_entries(source)
    if repeated:
        raise BadRecord(f"{repeated} ids come twice in {source.name}", "every document needs a different id")
    by = kind[1] if (kind := _KIND.search(source.name)) else frame.GOLD
    gold = {name: tuple(GoldKeyphrase(forms, by) for forms in phrases) for name, phrases in entries.items()}
    return PhraseLists("ake", tuple(LabelledDocument(Document(name, ""), phrases) for name, phrases in gold.items()))


def _parse_entries(source: Source) -> tuple[Mapping[str, list[tuple[str, ...]]], int]:
    """Return entries by id, each with its forms, and how many ids are repeated."""
    repeated = 0

    def count_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal repeated
        repeated += len(pairs) - len(dict(pairs))
        return dict(pairs)

    with locate_errors(f"{source.name} is not valid JSON", _AKE_EXPECTED):
        value = json.loads(source.text(), object_pairs_hook=count_repeated)
    if not isinstance(value, dict):
        raise BadRecord(f"{source.name} is not a JSON object", f"expected {_AKE_EXPECTED}")
    entries: dict[str, list[tuple[str, ...]]] = {}
    for name, listed in value.items():
        phrases: list[Any] = listed if isinstance(listed, list) else [None]
        phrases = [[entry] if isinstance(entry, str) else entry for entry in phrases]
        # Pairs of a phrase and its score, as KeyBERT, YAKE and RAKE return them, are dumped in the same form.
        phrases = [
            entry[:1] if isinstance(entry, list) and [*map(type, entry)] in ([str, float], [str, int]) else entry
            for entry in phrases
        ]
        for forms in phrases:
            if not isinstance(forms, list) or not forms or not all(isinstance(each, str) for each in forms):
                raise BadRecord(f"entry {name!r} of {source.name} is {listed!r:.60}", f"expected {_AKE_EXPECTED}")
        entries[name] = [tuple(forms) for forms in phrases]
    return entries, repeated


NATIVE: Final = RunFormat("keywright", lambda source: source.start[0] == b"{", _read_native)
"""Any JSON that no other format claims: the reader reports what is missing."""
KPEVAL: Final = RunFormat(
    "kpeval",
    lambda source: any({"source", "target", each} <= source.first_record.keys() for each in _PREDICTED),
    _read_kpeval,
    lambda source: PhraseLists("kpeval", _read_kpeval(source).labelled),
)
OPENNMT: Final = RunFormat(
    "opennmt", lambda source: not {"pred_sents", "preds"}.isdisjoint(source.first_record), _read_opennmt
)
AKE: Final = RunFormat(
    "ake",
    lambda source: (
        source.first_record.keys().isdisjoint(("id", "text", "title"))  # JSON Lines may also begin with a list
        and bool(_AKE_START.match("\n".join(source.beginning(4))))
    ),
    _read_ake,
    _read_gold_ake,
)
COLUMN_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "doc_id", "document_id", "document", "doc", "docno", "file"),
    "keyphrase": ("keyphrase", "phrase", "keyword", "term", "text"),
    "rank": ("rank", "position"),
    "score": ("score", "weight"),
}
"""Columns of tables, with their accepted names in lower case."""
_TABLE_EXPECTED: Final = "expected a header with id, keyphrase and perhaps rank and score, in any order"
_TREC_EXPECTED: Final = "lines such as: C-1 Q0 grid computing 1 0.83 mysystem"
_TREC_COLUMNS: Final = 6  # as TREC defines the format
_TREC_LINE: Final = re.compile(r"\s*(\S.*?)\s+Q0\s+(.+?)\s+([+-]?\d+)\s+(\S+)\s+\S+\s*")
_ANSWER_LINE: Final = re.compile(r"\S+ :( |$)")


def read_header(source: Source) -> list[str]:
    """Return the columns of a table's header; empty where the first line is none."""
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=find_delimiter(first[0])), []) if first else []
    except csv.Error:  # not the first line of a table, such as one of a binary file
        return []
    return [name.strip() for name in names]


def find_delimiter(header: str) -> str:
    """Return the separator that occurs most often in the header."""
    return max(",;\t|", key=header.count)


def _find_columns(header: list[str]) -> dict[str, int]:
    titles = [name.strip().casefold() for name in header]
    accepted = {column: [name for name in names if name in titles] for column, names in COLUMN_NAMES.items()}
    return {column: titles.index(names[0]) for column, names in accepted.items() if names}


def _read_table(source: Source) -> LoadedRun:
    text = source.text().lstrip("\n")
    first = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=find_delimiter(first), strict=True)
    rows: dict[str, list[tuple[float, int, str, float]]] = {}
    empty = 0
    try:
        columns = _find_columns(next(lines, []))
        if not {"id", "keyphrase"} <= columns.keys():
            raise ValueError(f"names no id or no keyphrase: {first[:60]!r}")  # noqa: TRY301 - one place adds the line
        for row in filter(None, lines):
            if len(row) <= max(columns.values()):
                raise ValueError(f"{len(row)} columns, the header has more")  # noqa: TRY301 - as above
            cells = {column: row[index].strip() for column, index in columns.items()}
            phrases = rows.setdefault(row[columns["id"]], [])
            if not cells["keyphrase"]:
                empty += 1
                continue
            score, rank = (
                frame.parse_finite(cells[name], name) if cells.get(name) else None for name in ("score", "rank")
            )
            order = rank if rank is not None else -score if score is not None else 0.0
            phrases.append((order, lines.line_num, cells["keyphrase"], -(rank or 0.0) if score is None else score))
    except (csv.Error, ValueError) as error:
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", _TABLE_EXPECTED) from None
    doubled = "rank" in columns and sum(len({row[0] for row in ranks}) < len(ranks) for ranks in rows.values())
    lists = ((name, [row[2:] for row in sorted(ranks)]) for name, ranks in rows.items())
    notes = frame.count_note(empty, "lines have no keyphrase")
    notes += frame.count_note(doubled, "documents have one rank twice; lines decided")
    return frame.load_lists(source.sha256, "csv", lists, notes)


def _split_trec(line: str) -> tuple[str, ...]:
    """Split a line into id, phrase, rank and score; empty where it has another form."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == _TREC_COLUMNS and parts[1] == "Q0":
        return (parts[0], *parts[2:5]) if re.fullmatch(r"[+-]?\d+", parts[3]) else ()
    match = _TREC_LINE.fullmatch(line)
    return match.groups() if match else ()


def _recognise_most(is_one: Callable[[str], object]) -> Callable[[Source], bool]:

    def recognise(source: Source) -> bool:
        lines = source.beginning()
        return 2 * sum(map(bool, map(is_one, lines))) > len(lines)

    return recognise


def _read_trec(source: Source) -> LoadedRun:
    rows: dict[str, list[tuple[float, int, int, str]]] = defaultdict(list)
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        with frame.locate_errors(f"line {number} of {source.name}", _TREC_EXPECTED):
            if not (columns := _split_trec(line)):
                raise ValueError(f"not a line of a TREC run: {line[:60]!r}")
            name, phrase, rank, score = columns
            rows[name].append((-frame.parse_finite(score, "score"), int(rank), number, phrase))
    lists, contradictions = [], 0
    for name, by_line in rows.items():
        by_score = sorted(by_line)
        contradictions += [row[1] for row in by_score] != sorted(row[1] for row in by_line)
        lists.append((name, [(phrase, -minus) for minus, _, _, phrase in by_score]))
    what = "documents have ranks that contradict their scores; scores decided, as in TREC"
    return frame.load_lists(source.sha256, "trec", lists, frame.count_note(contradictions, what))


def _read_text(source: Source) -> LoadedRun:
    lists, empty, marks = [], 0, 0
    for number, line in enumerate(source.lines(), start=1):
        pieces = parse_phrases(line.replace(PRESENT_END, f";{PRESENT_END};"))
        predicted = [piece for piece in pieces if piece != PRESENT_END]
        marks += PRESENT_END in pieces
        empty += not predicted
        lists.append((str(number), predicted))
    notes = frame.count_note(empty, "lines are empty: no predictions")
    notes += frame.count_note(marks, f"lines have a mark {PRESENT_END}, it was dropped")
    return frame.load_lists(source.sha256, "kpg", lists, notes, numbered=True)


_FATES: Final = {"res": "each is the empty phrase", "key": "they were dropped"}
"""Fates of empty lines, by the ending of files in folders."""
ENDINGS: Final = tuple(f".{form}" for form in _FATES)


def _make_folder_format(form: str, *, is_gold: bool) -> RunFormat:
    ending = f".{form}"

    def recognise(source: Source) -> bool:
        return any(name.endswith(ending) for name, _ in source.members or ())

    def read_lists(source: Source) -> LoadedRun:
        lists, others, empty = {}, 0, 0
        for name, data in source.members or ():
            others += not name.endswith(ending)
            if name.endswith(ending) and not name.startswith("."):
                text = frame.decode(data, f"{source.name}/{name}").replace("\r", "\n")
                lines = text.removesuffix("\n").split("\n") if text else []
                phrases = [(line if form == "res" else line.partition("\t")[0]).strip() for line in lines]
                empty += phrases.count("")
                lists[name.removesuffix(ending)] = phrases if form == "res" else list(filter(None, phrases))
        notes = frame.count_note(empty, f"lines of the {ending} files are empty, {_FATES[form]}")
        notes += frame.count_note(others, f"files of the folder do not end in {ending}, they were not read")
        return frame.load_lists(source.sha256, form, lists.items(), notes)

    def read_gold(source: Source) -> PhraseLists | None:
        gold = frame.read_as_gold(read_lists)(source)
        return gold and replace(gold, notes=())

    return RunFormat(form, recognise, read_lists, read_gold if is_gold else None)


TABLE: Final = RunFormat(
    "csv", lambda source: {"id", "keyphrase"} <= _find_columns(read_header(source)).keys(), _read_table,
    frame.read_as_gold(_read_table),
)  # fmt: skip
TREC: Final = RunFormat("trec", _recognise_most(_split_trec), _read_trec)
SEMEVAL: Final = RunFormat(
    "semeval",
    _recognise_most(_ANSWER_LINE.match),
    lambda source: LoadedRun("semeval", parse_answers(source.data, source.marks)),
)
TEXT: Final = RunFormat(
    "kpg", lambda source: ";" in (text := "\n".join(source.beginning())) and "\0" not in text and "\ufffd" not in text,
    _read_text, frame.read_as_gold(_read_text),
)  # fmt: skip
RES: Final = _make_folder_format("res", is_gold=False)
KEY: Final = _make_folder_format("key", is_gold=True)
