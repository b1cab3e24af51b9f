"""Folders with one file a document: ``ID.res`` of evalHulth2003, ``ID.key`` of Kea, Maui and others.

Both have a phrase a line. ``.res`` keeps an empty line as the empty phrase, as evalHulth2003 does, and cuts blanks at
both ends; ``.key`` drops empty lines, and what follows a tab, where some tools write scores.
"""

from collections.abc import Iterator, Sequence

from keywright.core.documents import Document
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.evaluation.run_formats.format import GOLD, Form, LoadedRun, Source, decoded, ranked, run_of, some


def _named(source: Source, ending: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Ids with the lines of their files, in the order of names."""
    for name, data in source.members or ():
        if name.endswith(ending) and not name.startswith("."):
            text = decoded(data, f"{source.name}/{name}").replace("\r", "\n")
            yield name.removesuffix(ending), text.removesuffix("\n").split("\n") if text else ()


def _other_files(source: Source, ending: str) -> tuple[str, ...]:
    count = sum(not name.endswith(ending) for name, _ in source.members or ())
    return some(count, f"files of the folder do not end in {ending}, they were not read")


def _holds(ending: str, source: Source) -> bool:
    return any(name.endswith(ending) for name, _ in source.members or ())


def _read_res(source: Source) -> LoadedRun:
    lists = [(name, ranked(line.strip() for line in lines)) for name, lines in _named(source, ".res")]
    empty = sum(not phrase for _, phrases in lists for phrase, _ in phrases)
    notes = some(empty, "lines of the .res files are empty, each is the empty phrase")
    return LoadedRun("res", run_of(source, "res", lists), notes + _other_files(source, ".res"))


def _read_key(source: Source) -> LoadedRun:
    found, dropped = [], 0
    for name, lines in _named(source, ".key"):
        phrases = _phrases(lines)
        dropped += len(lines) - len(phrases)
        found.append((name, ranked(phrases)))
    notes = some(dropped, "lines of the .key files are empty, they were dropped")
    return LoadedRun("key", run_of(source, "key", found), notes + _other_files(source, ".key"))


def labelled(source: Source) -> tuple[LabelledDocument[Document], ...]:
    """A folder of ``.key`` as gold, without texts."""
    return tuple(
        LabelledDocument(Document(name, ""), tuple(GoldKeyphrase((phrase,), GOLD) for phrase in _phrases(lines)))
        for name, lines in _named(source, ".key")
    )


def _phrases(lines: Sequence[str]) -> tuple[str, ...]:
    """Phrases of a ``.key`` file."""
    return tuple(filter(None, (line.partition("\t")[0].strip() for line in lines)))


RES = Form("res", "folder of `ID.res`, as evalHulth2003 takes it", lambda source: _holds(".res", source), _read_res)
KEY = Form("key", "folder of `ID.key`, a phrase a line", lambda source: _holds(".key", source), _read_key)
