"""Files of gold that also serve as runs: references of ake-datasets, and folders of ``ID.res`` and ``ID.key``.

References of ake-datasets are one JSON object, ``{"id": [["phrase", "variant"], ["phrase"]]}``; as a run each entry
gives its first form. The kind of gold is part of the file name, as in ``test.author.stem.json``; if it contains
``.stem.``, phrases are stems, scored as they are.

Folders have one file per document, ``ID.res`` of evalHulth2003, ``ID.key`` of Kea, Maui and others, one phrase per
line. In ``.res`` an empty line is the empty phrase, as in evalHulth2003, and blanks at both ends are stripped; in
``.key`` empty lines are dropped, and text after a tab, where some tools write scores.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.evaluation.answers import Answers
from keywright.evaluation.run_formats.format import (
    GOLD,
    LoadedRun,
    PhraseLists,
    RunFormat,
    Source,
    count_note,
    decode,
    label_document,
    load_lists,
    locate_errors,
    rank_phrases,
)

ENDINGS: Final = (".res", ".key")
_START: Final = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\["\]]')
_KIND: Final = re.compile(r"\b(author|reader|combined|indexer|editor|uncontr|contr|extra)\b")
_EXPECTED: Final = 'expected {"id": [["phrase", "variant"], ["phrase"]], …}'


def _is_ake(source: Source) -> bool:
    keys = source.first_record.keys()  # JSON Lines may also begin with a list
    return keys.isdisjoint(("id", "text", "title")) and bool(_START.match("\n".join(source.beginning(4))))


def _read_ake(source: Source) -> LoadedRun:
    entries, repeated = _parse_entries(source)
    notes = count_note(repeated, "ids come again, the last one counts")
    lists = {name: tuple(forms[0] for forms in phrases) for name, phrases in entries.items()}
    if ".stem." in source.name:
        run = f"ake|sha256:{source.sha256}"
        return LoadedRun("ake", Answers(run, lists, len(lists) + repeated, repeated), notes)
    return load_lists(source, "ake", [(name, rank_phrases(phrases)) for name, phrases in lists.items()], notes)


def _read_gold_ake(source: Source) -> PhraseLists:
    entries, repeated = _parse_entries(source)
    if repeated:
        raise BadRecord(f"{repeated} ids come twice in {source.name}", "every document needs a different id")
    kind = _KIND.search(source.name)
    by = kind[1] if kind else GOLD
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

    with locate_errors(f"{source.name} is not valid JSON", _EXPECTED.removeprefix("expected ")):
        value = json.loads(source.text(), object_pairs_hook=count_repeated)
    if not isinstance(value, dict):
        raise BadRecord(f"{source.name} is not a JSON object", _EXPECTED)
    return {name: _check_forms(entries, name, source.name) for name, entries in value.items()}, repeated


def _check_forms(value: Any, name: str, file: str) -> list[tuple[str, ...]]:
    entries: list[Any] = value if isinstance(value, list) else [None]
    entries = [[entry] if isinstance(entry, str) else entry for entry in entries]
    for forms in entries:
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) for form in forms):
            raise BadRecord(f"entry {name!r} of {file} is {value!r:.60}", _EXPECTED)
    return [tuple(forms) for forms in entries]


def _has_ending(source: Source, ending: str) -> bool:
    return any(name.endswith(ending) for name, _ in source.members or ())


def _iterate_files(source: Source, ending: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield ids with the lines of their files, in the order of names."""
    for name, data in source.members or ():
        if name.endswith(ending) and not name.startswith("."):
            text = decode(data, f"{source.name}/{name}").replace("\r", "\n")
            yield name.removesuffix(ending), text.removesuffix("\n").split("\n") if text else ()


def _read_folder(source: Source, form: str, lists: Mapping[str, Sequence[str]], notes: tuple[str, ...]) -> LoadedRun:
    others = sum(not name.endswith(f".{form}") for name, _ in source.members or ())
    notes += count_note(others, f"files of the folder do not end in .{form}, they were not read")
    return load_lists(source, form, [(name, rank_phrases(phrases)) for name, phrases in lists.items()], notes)


def _read_res(source: Source) -> LoadedRun:
    lists = {name: [line.strip() for line in lines] for name, lines in _iterate_files(source, ".res")}
    empty = sum(phrases.count("") for phrases in lists.values())
    notes = count_note(empty, "lines of the .res files are empty, each is the empty phrase")
    return _read_folder(source, "res", lists, notes)


def _read_key(source: Source) -> LoadedRun:
    files = dict(_iterate_files(source, ".key"))
    lists = {name: _strip_scores(lines) for name, lines in files.items()}
    dropped = sum(map(len, files.values())) - sum(map(len, lists.values()))
    return _read_folder(
        source, "key", lists, count_note(dropped, "lines of the .key files are empty, they were dropped")
    )


def _read_gold_key(source: Source) -> PhraseLists:
    files = _iterate_files(source, ".key")
    return PhraseLists("key", tuple(label_document(Document(name, ""), _strip_scores(lines)) for name, lines in files))


def _strip_scores(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, (line.partition("\t")[0].strip() for line in lines)))


AKE: Final = RunFormat("ake", _is_ake, _read_ake, _read_gold_ake)
RES: Final = RunFormat("res", partial(_has_ending, ending=".res"), _read_res)
KEY: Final = RunFormat("key", partial(_has_ending, ending=".key"), _read_key, _read_gold_key)
