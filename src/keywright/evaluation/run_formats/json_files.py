"""JSON: keywright's own runs, KPEval, OpenNMT-kpg's ``.pred``, and the references of ake-datasets.

Records of KPEval are predictions with their own texts and gold. References of ake-datasets serve as gold and as runs;
the kind of gold is part of the file name, as in ``test.author.stem.json``, and with ``.stem.`` phrases are stems.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.json_values import check_text
from keywright.core.records import read_run
from keywright.evaluation.answers import Answers
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
    start = len(title) + 1
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, len(text))
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
    values = labelled.values()
    return frame.load_lists(source.sha256, "kpeval", lists, numbered=numbered, labelled=values, empty=True)


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
    kind = _KIND.search(source.name)
    by = kind[1] if kind else frame.GOLD
    labelled = (
        LabelledDocument(Document(name, ""), tuple(GoldKeyphrase(forms, by) for forms in phrases))
        for name, phrases in entries.items()
    )
    return PhraseLists("ake", tuple(labelled))


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
        phrases = [entry[:1] if isinstance(entry, list) and _is_pair(entry) else entry for entry in phrases]
        for forms in phrases:
            if not isinstance(forms, list) or not forms or not all(isinstance(each, str) for each in forms):
                raise BadRecord(f"entry {name!r} of {source.name} is {listed!r:.60}", f"expected {_AKE_EXPECTED}")
        entries[name] = [tuple(forms) for forms in phrases]
    return entries, repeated


def _is_pair(entry: list[Any]) -> bool:
    return [type(each) for each in entry] in ([str, float], [str, int])


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
