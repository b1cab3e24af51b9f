"""Gold files of SemEval-2010 Task 5: ``id : entry,entry,...``; an entry may hold alternatives, ``first+second``."""

from pathlib import Path
from typing import Final

from keywright.core.errors import MissingData
from keywright.evaluation.formats.answers import read_lines
from keywright.evaluation.formats.gold_sets import GoldDocument, GoldSet
from keywright.evaluation.rules import ByteMarks
from keywright.reading.limits import Limits

KINDS: Final = ("author", "reader", "combined")


def read_gold(folder: Path, marks: ByteMarks, kinds: tuple[str, ...] = KINDS) -> tuple[GoldSet, ...]:
    """Read the gold sets of a folder; see ``read_gold_file``."""
    return tuple(read_gold_file(folder, kind, marks) for kind in kinds)


def read_gold_file(folder: Path, kind: str, marks: ByteMarks) -> GoldSet:
    """Read gold of one kind: ``test.KIND.final``, as the official script requires, or else ``test.KIND.stem.final``.

    Raises:
        MissingData: neither file exists.
        TooLarge: the file is above the limit of readers.
    """
    names = f"test.{kind}.final", f"test.{kind}.stem.final"
    file = next((folder / name for name in names if (folder / name).is_file()), None)
    if file is None:
        message = f"no {kind} gold in {folder}: neither {names[0]} nor {names[1]}"
        raise MissingData(message, "name the folder with the three gold files of the task")
    return parse_gold(limited(file), kind, marks)


def parse_gold(data: bytes, kind: str, marks: ByteMarks) -> GoldSet:
    """Parse gold of one kind.

    Every line is a document, even with a repeated id: the official script scores line by line. An entry with a plus
    sign has two forms or more; the second is empty where it is missing.
    """
    lines, _ = read_lines(data, marks)
    documents = (GoldDocument(name, tuple(map(_alternatives, entries))) for name, entries in lines)
    return GoldSet(kind, tuple(documents))


def limited(file: Path) -> bytes:
    """Read a file."""
    Limits().check_file(file.stat().st_size, str(file))
    return file.read_bytes()


def _alternatives(entry: str) -> tuple[str, ...]:
    if "+" not in entry:
        return (entry,)
    first, *rest = entry.rstrip("+").split("+")
    return (first, *(rest or [""]))
