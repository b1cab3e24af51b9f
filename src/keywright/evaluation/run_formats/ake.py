"""References of ake-datasets: one JSON object, ``{"id": [["phrase", "variant"], ["phrase"]]}``; as gold, or as a run.

As a run each entry gives its first form. Where the file's name says ``.stem.``, phrases are stems and taken as they
are.
"""

import json
import re
from collections.abc import Mapping

from keywright.core.documents import Document
from keywright.core.errors import BadRecord
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.run_formats.format import GOLD, Form, LoadedRun, Source, ranked, run_of
from keywright.evaluation.run_formats.json_lines import first_record

_START = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\["\]]')
_KIND = re.compile(r"\b(author|reader|combined|indexer|editor|uncontr|contr|extra)\b")
_EXPECTED = 'expected {"id": [["phrase", "variant"], ["phrase"]], …}'


def _recognise(source: Source) -> bool:
    record = first_record(source)  # JSON Lines may begin with a list, too
    return not {"id", "text", "title"} & record.keys() and bool(_START.match("\n".join(source.beginning(4))))


def _read(source: Source) -> LoadedRun:
    entries, again = _entries(source)
    notes = (f"{again} ids come again, the last one counts",) if again else ()
    lists = {name: tuple(forms[0] for forms in given) for name, given in entries.items()}
    if ".stem." in source.name:
        run = f"ake|sha256:{source.sha256}"
        return LoadedRun("ake", Answers(run, lists, len(lists) + again, again), notes)
    return LoadedRun("ake", run_of(source, "ake", [(name, ranked(phrases)) for name, phrases in lists.items()]), notes)


def labelled(source: Source) -> tuple[LabelledDocument[Document], ...]:
    """The file as gold, without texts; who gave it stands in the name, as in ``test.author.stem.json``.

    Raises:
        BadRecord: it has another form, or an id twice.
    """
    entries, again = _entries(source)
    if again:
        raise BadRecord(f"{again} ids come twice in {source.name}", "every document needs an id of its own")
    kind = _KIND.search(source.name)
    by = kind[1] if kind else GOLD
    return tuple(
        LabelledDocument(Document(name, ""), tuple(GoldKeyphrase(forms, by) for forms in given))
        for name, given in entries.items()
    )


def _entries(source: Source) -> tuple[Mapping[str, list[tuple[str, ...]]], int]:
    """Entries by id, each with its forms, and how many ids came before."""
    again = 0

    def counting(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal again
        again += len(pairs) - len(dict(pairs))
        return dict(pairs)

    try:
        value = json.loads(source.text(), object_pairs_hook=counting)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{source.name} is no JSON: {error}", _EXPECTED) from None
    if not isinstance(value, dict):
        raise BadRecord(f"{source.name} is no JSON object", _EXPECTED)
    return {name: _forms(given, name, source.name) for name, given in value.items()}, again


def _forms(given: object, name: str, file: str) -> list[tuple[str, ...]]:
    wrong = BadRecord(f"entry {name!r} of {file} is {given!r:.60}", _EXPECTED)
    if not isinstance(given, list):
        raise wrong
    entries = [[entry] if isinstance(entry, str) else entry for entry in given]
    for forms in entries:
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) for form in forms):
            raise wrong
    return [tuple(forms) for forms in entries]


FORM = Form("ake", "references of ake-datasets: one JSON object", _recognise, _read)
