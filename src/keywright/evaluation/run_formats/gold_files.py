"""Files of gold that also serve as runs: references of ake-datasets, and folders of ``ID.res`` and ``ID.key``.

References of ake-datasets are one JSON object, ``{"id": [["phrase", "variant"], ["phrase"]]}``; as a run each entry
gives its first form. If the file name contains ``.stem.``, phrases are stems, scored as they are.

Folders have one file per document, ``ID.res`` of evalHulth2003, ``ID.key`` of Kea, Maui and others, one phrase per
line. In ``.res`` an empty line is the empty phrase, as in evalHulth2003, and blanks at both ends are stripped; in
``.key`` empty lines are dropped, and text after a tab, where some tools write scores.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.evaluation.answers import Answers
from keywright.evaluation.run_formats.format import (
    GOLD,
    LoadedRun,
    RunFormat,
    Source,
    count_note,
    decode,
    label_document,
    locate_errors,
    make_run,
    rank_phrases,
)
from keywright.evaluation.run_formats.json_lines import first_record

_START = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\["\]]')
_KIND = re.compile(r"\b(author|reader|combined|indexer|editor|uncontr|contr|extra)\b")
_EXPECTED = '{"id": [["phrase", "variant"], ["phrase"]], …}'


def _is_ake(source: Source) -> bool:
    record = first_record(source)  # JSON Lines may also begin with a list
    return not {"id", "text", "title"} & record.keys() and bool(_START.match("\n".join(source.beginning(4))))


def _read_ake(source: Source) -> LoadedRun:
    entries, repeated = _parse_entries(source)
    notes = count_note(repeated, "ids come again, the last one counts")
    lists = {name: tuple(forms[0] for forms in phrases) for name, phrases in entries.items()}
    if ".stem." in source.name:
        run = f"ake|sha256:{source.sha256}"
        return LoadedRun("ake", Answers(run, lists, len(lists) + repeated, repeated), notes)
    return LoadedRun(
        "ake", make_run(source, "ake", [(name, rank_phrases(phrases)) for name, phrases in lists.items()]), notes
    )


def label_ake(source: Source) -> tuple[LabelledDocument[Document], ...]:
    """Read the file as gold, without texts; its kind is part of the file name, as in ``test.author.stem.json``."""
    entries, repeated = _parse_entries(source)
    if repeated:
        raise BadRecord(f"{repeated} ids come twice in {source.name}", "every document needs a different id")
    kind = _KIND.search(source.name)
    by = kind[1] if kind else GOLD
    return tuple(
        LabelledDocument(Document(name, ""), tuple(GoldKeyphrase(forms, by) for forms in phrases))
        for name, phrases in entries.items()
    )


def _parse_entries(source: Source) -> tuple[Mapping[str, list[tuple[str, ...]]], int]:
    """Return entries by id, each with its forms, and how many ids are repeated."""
    repeated = 0

    def counting(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal repeated
        repeated += len(pairs) - len(dict(pairs))
        return dict(pairs)

    with locate_errors(f"{source.name} is not valid JSON", _EXPECTED):
        value = json.loads(source.text(), object_pairs_hook=counting)
    if not isinstance(value, dict):
        raise BadRecord(f"{source.name} is not a JSON object", f"expected {_EXPECTED}")
    return {name: _check_forms(entries, name, source.name) for name, entries in value.items()}, repeated


def _check_forms(value: Any, name: str, file: str) -> list[tuple[str, ...]]:
    entries: list[Any] = value if isinstance(value, list) else [None]
    entries = [[entry] if isinstance(entry, str) else entry for entry in entries]
    for forms in entries:
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) for form in forms):
            raise BadRecord(f"entry {name!r} of {file} is {value!r:.60}", f"expected {_EXPECTED}")
    return [tuple(forms) for forms in entries]


AKE = RunFormat("ake", "references of ake-datasets: one JSON object", _is_ake, _read_ake)


def _iterate_files(source: Source, ending: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield ids with the lines of their files, in the order of names."""
    for name, data in source.members or ():
        if name.endswith(ending) and not name.startswith("."):
            text = decode(data, f"{source.name}/{name}").replace("\r", "\n")
            yield name.removesuffix(ending), text.removesuffix("\n").split("\n") if text else ()


def _note_others(source: Source, ending: str) -> tuple[str, ...]:
    count = sum(not name.endswith(ending) for name, _ in source.members or ())
    return count_note(count, f"files of the folder do not end in {ending}, they were not read")


def _has_ending(source: Source, ending: str) -> bool:
    return any(name.endswith(ending) for name, _ in source.members or ())


def _read_res(source: Source) -> LoadedRun:
    lists = [(name, rank_phrases(line.strip() for line in lines)) for name, lines in _iterate_files(source, ".res")]
    empty = sum(not phrase for _, phrases in lists for phrase, _ in phrases)
    notes = count_note(empty, "lines of the .res files are empty, each is the empty phrase")
    return LoadedRun("res", make_run(source, "res", lists), notes + _note_others(source, ".res"))


def _read_key(source: Source) -> LoadedRun:
    lists, dropped = [], 0
    for name, lines in _iterate_files(source, ".key"):
        phrases = _list_key_phrases(lines)
        dropped += len(lines) - len(phrases)
        lists.append((name, rank_phrases(phrases)))
    notes = count_note(dropped, "lines of the .key files are empty, they were dropped")
    return LoadedRun("key", make_run(source, "key", lists), notes + _note_others(source, ".key"))


def label_key_folder(source: Source) -> tuple[LabelledDocument[Document], ...]:
    """Read a folder of ``.key`` as gold, without texts."""
    return tuple(
        label_document(Document(name, ""), _list_key_phrases(lines)) for name, lines in _iterate_files(source, ".key")
    )


def _list_key_phrases(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, (line.partition("\t")[0].strip() for line in lines)))


RES = RunFormat("res", "folder of `ID.res`, as evalHulth2003 takes it", partial(_has_ending, ending=".res"), _read_res)
KEY = RunFormat("key", "folder of `ID.key`, one phrase per line", partial(_has_ending, ending=".key"), _read_key)
