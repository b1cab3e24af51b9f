"""References of ake-datasets: one JSON object, ``{"id": [["phrase", "variant"], ["phrase"]]}``; as gold, or as a run.

As a run each entry gives its first form. If the file name contains ``.stem.``, phrases are stems, scored as they are.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.run_formats.format import GOLD, LoadedRun, RunFormat, Source, located, note, ranked, run_of
from keywright.evaluation.run_formats.json_lines import first_record

_START = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\["\]]')
_KIND = re.compile(r"\b(author|reader|combined|indexer|editor|uncontr|contr|extra)\b")
_EXPECTED = '{"id": [["phrase", "variant"], ["phrase"]], …}'


def _recognise(source: Source) -> bool:
    record = first_record(source)  # JSON Lines may also begin with a list
    return not {"id", "text", "title"} & record.keys() and bool(_START.match("\n".join(source.beginning(4))))


def _read(source: Source) -> LoadedRun:
    entries, repeated = _entries(source)
    notes = note(repeated, "ids come again, the last one counts")
    lists = {name: tuple(forms[0] for forms in phrases) for name, phrases in entries.items()}
    if ".stem." in source.name:
        run = f"ake|sha256:{source.sha256}"
        return LoadedRun("ake", Answers(run, lists, len(lists) + repeated, repeated), notes)
    return LoadedRun("ake", run_of(source, "ake", [(name, ranked(phrases)) for name, phrases in lists.items()]), notes)


def labelled(source: Source) -> tuple[LabelledDocument[Document], ...]:
    """Read the file as gold, without texts; its kind is part of the file name, as in ``test.author.stem.json``."""
    entries, repeated = _entries(source)
    if repeated:
        raise BadRecord(f"{repeated} ids come twice in {source.name}", "every document needs a different id")
    kind = _KIND.search(source.name)
    by = kind[1] if kind else GOLD
    return tuple(
        LabelledDocument(Document(name, ""), tuple(GoldKeyphrase(forms, by) for forms in phrases))
        for name, phrases in entries.items()
    )


def _entries(source: Source) -> tuple[Mapping[str, list[tuple[str, ...]]], int]:
    """Return entries by id, each with its forms, and how many ids are repeated."""
    repeated = 0

    def counting(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal repeated
        repeated += len(pairs) - len(dict(pairs))
        return dict(pairs)

    with located(f"{source.name} is not valid JSON", _EXPECTED):
        value = json.loads(source.text(), object_pairs_hook=counting)
    if not isinstance(value, dict):
        raise BadRecord(f"{source.name} is not a JSON object", f"expected {_EXPECTED}")
    return {name: _forms(entries, name, source.name) for name, entries in value.items()}, repeated


def _forms(value: Any, name: str, file: str) -> list[tuple[str, ...]]:
    entries: list[Any] = value if isinstance(value, list) else [None]
    entries = [[entry] if isinstance(entry, str) else entry for entry in entries]
    for forms in entries:
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) for form in forms):
            raise BadRecord(f"entry {name!r} of {file} is {value!r:.60}", f"expected {_EXPECTED}")
    return [tuple(forms) for forms in entries]


FORM = RunFormat("ake", "references of ake-datasets: one JSON object", _recognise, _read)
