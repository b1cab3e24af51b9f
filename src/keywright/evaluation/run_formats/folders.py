"""Folders with one file per document: ``ID.res`` of evalHulth2003, ``ID.key`` of Kea, Maui and others.

Both have one phrase per line. In ``.res`` an empty line is the empty phrase, as in evalHulth2003, and blanks at both
ends are stripped; in ``.key`` empty lines are dropped, and text after a tab, where some tools write scores.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from keywright.core.documents import Document, LabelledDocument
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source, decoded, gold, note, ranked, run_of


def _named(source: Source, ending: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield ids with the lines of their files, in the order of names."""
    for name, data in source.members or ():
        if name.endswith(ending) and not name.startswith("."):
            text = decoded(data, f"{source.name}/{name}").replace("\r", "\n")
            yield name.removesuffix(ending), text.removesuffix("\n").split("\n") if text else ()


def _other_files(source: Source, ending: str) -> tuple[str, ...]:
    count = sum(not name.endswith(ending) for name, _ in source.members or ())
    return note(count, f"files of the folder do not end in {ending}, they were not read")


def _holds(source: Source, ending: str) -> bool:
    return any(name.endswith(ending) for name, _ in source.members or ())


def _read_res(source: Source) -> LoadedRun:
    lists = [(name, ranked(line.strip() for line in lines)) for name, lines in _named(source, ".res")]
    empty = sum(not phrase for _, phrases in lists for phrase, _ in phrases)
    notes = note(empty, "lines of the .res files are empty, each is the empty phrase")
    return LoadedRun("res", run_of(source, "res", lists), notes + _other_files(source, ".res"))


def _read_key(source: Source) -> LoadedRun:
    lists, dropped = [], 0
    for name, lines in _named(source, ".key"):
        phrases = _phrases(lines)
        dropped += len(lines) - len(phrases)
        lists.append((name, ranked(phrases)))
    notes = note(dropped, "lines of the .key files are empty, they were dropped")
    return LoadedRun("key", run_of(source, "key", lists), notes + _other_files(source, ".key"))


def labelled(source: Source) -> tuple[LabelledDocument[Document], ...]:
    """Read a folder of ``.key`` as gold, without texts."""
    return tuple(gold(Document(name, ""), _phrases(lines)) for name, lines in _named(source, ".key"))


def _phrases(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, (line.partition("\t")[0].strip() for line in lines)))


RES = RunFormat("res", "folder of `ID.res`, as evalHulth2003 takes it", partial(_holds, ending=".res"), _read_res)
KEY = RunFormat("key", "folder of `ID.key`, one phrase per line", partial(_holds, ending=".key"), _read_key)
