"""Files of a copy of a collection: a folder or an archive, or one file of labelled documents in JSON Lines.

Archives are untrusted and not unpacked to disk: members that leave the archive, links and devices make it refused, and
sizes have ceilings. Copies lie in the folder named by KEYWRIGHT_MIRROR, or else in the user's cache, under the
collection's name (or an archive such as ``inspec.zip``), unless its card names another.
"""

import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple, TypeAlias, cast

from keywright.core.atomic_files import cache_folder
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord, BrokenFile, KeywrightError, MissingData, TooLarge, UnreadableInput
from keywright.core.predictions import Failure
from keywright.core.zstandard import zstd
from keywright.datasets.card import Card
from keywright.reading.formats.jsonl import document_of_line, read_labelled
from keywright.reading.limits import Limits, open_unpacked
from keywright.reading.record_lines import JsonLine, streamed_lines

ARCHIVES: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip")
DAMAGE: Final = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, zstd.ZstdError, EOFError, OSError,
    ValueError, NotImplementedError, RuntimeError,  # a zip with a method or a password that Python does not know
)  # fmt: skip
# Ceilings are arbitrary, above all collections with a card.
_LIMITS: Final = Limits(file_bytes=1_000_000_000, expanded_bytes=2_000_000_000)
_MEMBER_BYTES: Final = 64_000_000  # arbitrary
_MEMBERS: Final = 1_000_000  # arbitrary
_EXTENSIONS: Final = {
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
}  # fmt: skip
_EXTENSION_BYTES: Final = 1_000_000  # arbitrary, far above any path
MIRROR: Final = "KEYWRIGHT_MIRROR"
_NAMED: Final = 5  # missing documents that a message names; arbitrary
Gold: TypeAlias = tuple[GoldKeyphrase, ...]


class _Header(tarfile.TarInfo):
    """A member's header, with a ceiling for extended headers, which ``tarfile`` reads into memory whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Header":
        header = super().frombuf(buf, encoding, errors)
        if header.type in _EXTENSIONS and header.size > _EXTENSION_BYTES:
            raise _too_large("an extended header of the archive", _EXTENSION_BYTES)
        return header


class _Member(NamedTuple):
    name: str
    size: int  # as stated, which may be wrong
    is_folder: bool
    is_file: bool
    open: Callable[[], IO[bytes] | None]


@dataclass(frozen=True, slots=True)
class Files:
    """A folder or archive with files; ``folders`` names the one to read where there are several collections."""

    place: Path  # folder or archive
    limits: Limits = _LIMITS  # ceilings for each archive: its size, and that of all its members unpacked
    member_bytes: int = _MEMBER_BYTES  # ceiling for one file inside
    folders: Mapping[str, str] = field(default_factory=dict)

    def matching(self, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
        """Yield texts of files whose path, with ``/``, matches, by paths and archives, with line feeds and no mark."""
        if not self.place.exists():
            raise MissingData(f"{self.place} does not exist", "expected a folder or an archive of a collection")
        single = self.place.is_file()
        paths = [self.place] if single else sorted(path for path in self.place.rglob("*") if path.is_file())
        for path in paths:
            relative = path.name if single else path.relative_to(self.place).as_posix()
            if path.name.lower().endswith(ARCHIVES):
                yield from self._match_members(path, pattern, relative.removesuffix(path.name))
            elif whole := pattern.search(relative):
                if path.stat().st_size > self.member_bytes:
                    raise _too_large(str(path), self.member_bytes)
                yield whole, _decode(path.read_bytes(), str(path))

    def _match_members(self, path: Path, pattern: re.Pattern[str], beside: str) -> Iterator[tuple[re.Match[str], str]]:
        """Yield the texts of the files of an archive that match below its folder."""
        if path.stat().st_size > self.limits.file_bytes:
            raise _too_large(str(path), self.limits.file_bytes)
        only = f"/{self.folders[path.name]}/" if path.name in self.folders else "/"
        members = _list_members(path)
        total = 0
        try:
            for count, member in enumerate(members, start=1):
                total += member.size
                parts = PurePosixPath(member.name.replace("\\", "/"))
                if parts.is_absolute() or ".." in parts.parts or re.match(r"[A-Za-z]:", member.name):
                    message = f"{path} holds {member.name!r}, a path that leads out of the archive"
                    raise BrokenFile(message, "do not trust this file; fetch another")
                if total > self.limits.expanded_bytes or count > _MEMBERS:
                    raise _too_large(f"{path}, unpacked,", self.limits.expanded_bytes)
                match = pattern.search(beside + member.name) if only in f"/{member.name}" else None
                if member.is_folder or not match:
                    continue
                if not member.is_file:
                    raise BrokenFile(f"{path} holds {member.name!r}, a link or device", "expected files only")
                content = member.open()
                unpacked = content.read(self.member_bytes + 1) if content else b""
                if len(unpacked) > self.member_bytes:
                    raise _too_large(f"{member.name} in {path}", self.member_bytes)
                yield match, _decode(unpacked, f"{member.name} in {path}")
        except UnreadableInput:
            raise
        except DAMAGE as error:
            hint = "download it again, or take it from another copy"
            raise BrokenFile(f"{path} is damaged: {error}", hint) from error


def _list_members(path: Path) -> Iterator[_Member]:
    """Yield the members front to back: random access would unpack a large archive once for each file."""
    if path.name.lower().endswith(".zip"):
        with zipfile.ZipFile(path) as zipped:
            for each in zipped.infolist():  # a zip file has no links
                yield _Member(
                    each.filename, each.file_size, each.is_dir(), not each.is_dir(), partial(zipped.open, each)
                )
        return
    with path.open("rb") as packed:
        plain: IO[bytes] = packed
        mode = "r|*"
        if path.name.lower().endswith(".zst"):
            plain, mode = cast("IO[bytes]", zstd.open(packed)), "r|"
        with tarfile.open(fileobj=plain, mode=mode, tarinfo=_Header) as archive:  # type: ignore[call-overload] # mode is a variable
            for member in archive:
                opened = partial(archive.extractfile, member)
                yield _Member(member.name, member.size, member.isdir(), member.isfile(), opened)


def _too_large(what: str, limit: int) -> TooLarge:
    hint = "no file of the known collections is so large: check the file"
    return TooLarge(f"{what} is larger than {limit:,} bytes", hint)


def _decode(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{name} is not UTF-8 (byte {error.start})", "expected the collection's own files") from None
    return io.IncrementalNewlineDecoder(None, translate=True).decode(text, final=True)


def join_gold(
    texts: Iterable[tuple[str, str]], gold: Mapping[str, Gold], order: Sequence[str]
) -> Iterator[tuple[str, str, Gold]]:
    """Yield id, text and gold of each wanted document, in a fixed order; only texts before their turn are in memory."""
    wanted, waiting, read, turn = set(order), dict[str, str](), set[str](), 0
    for name, text in texts:
        if name not in gold:
            raise BrokenFile(f"document {name} has a text but no line or file of gold", "the copy is incomplete")
        if name in read:
            raise BrokenFile(f"document {name} comes twice", "keep one copy: the archive or the folder made from it")
        read.add(name)
        if name in wanted:
            waiting[name] = text
        while turn < len(order) and order[turn] in waiting:
            current = order[turn]
            yield current, waiting.pop(current), gold[current]
            turn += 1
        if turn == len(order):
            return
    missing = sorted(wanted - read)
    if missing:
        names = ", ".join(missing[:_NAMED]) + (" ..." if len(missing) > _NAMED else "")
        message = f"{len(missing)} of {len(order)} documents have no text: {names}"
        raise BrokenFile(message, "the copy is incomplete; download it again")


def mirror_folder() -> Path | None:
    """Return the folder named by KEYWRIGHT_MIRROR; None if it is not set."""
    named = os.environ.get(MIRROR)
    return _check_folder(Path(named), MIRROR) if named else None


def find_copy(card: Card, mirror: Path | None = None) -> Path | None:
    """Return the place of a local copy in the mirror (by default KEYWRIGHT_MIRROR), then in the cache; None without."""
    first = _check_folder(mirror, "mirror") if mirror else mirror_folder()
    for folder in filter(None, (first, cache_folder())):
        if card.records:
            place = folder / (card.folder or card.name)
            if any(find_packed(place / name) for name in card.records.files.values()):
                return place
            continue
        for place in (folder / card.name, *(folder / f"{card.name}{ending}" for ending in ARCHIVES)):
            if place.is_dir() or (place.is_file() and place.name != card.name):
                return place
    return None


def find_files(card: Card, mirror: Path | None = None) -> Files:
    """Return the files of a local copy."""
    place = find_copy(card, mirror)
    if place is not None:
        return make_files(card, place)
    verb, purpose = ("fetch", "downloads it") if card.downloadable else ("show", "tells how to get it")
    folder = f"a folder that holds one named {card.folder or card.name} can be named in {MIRROR}"
    hint = f"`keywright datasets {verb} {card.name}` {purpose}; {folder}"
    raise MissingData(f"data set {card.name} is not on this machine", hint)


def make_files(card: Card, place: Path) -> Files:
    """Return the files of a copy at a place."""
    return Files(place, folders={source.saved_as: source.folder for source in card.sources if source.saved_as})


def _check_folder(folder: Path, name: str) -> Path:
    if not folder.is_dir():
        raise MissingData(f"{name} is not a folder: {folder}", "expected a folder that holds data sets by name")
    return folder


ENDINGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
LIMITS: Final = Limits()
_DIFFERENT: Final = "every document needs a different id"


def is_file_name(name: str) -> bool:
    """Return whether a data set's name means a file."""
    return name.lower().endswith(ENDINGS) or Path(name).is_file()


def find_file(name: str) -> Path:
    """Return the path of an existing file."""
    path = Path(name)
    if not path.is_file():
        raise MissingData(
            f"there is no file {name}", "expected a JSON Lines file or a name of `keywright datasets list`"
        )
    return path


def find_packed(path: Path) -> Path | None:
    """Return the file of this name, plain or with the ending of a packed one; None if there is neither."""
    return next((place for ending in ("", ".gz", ".zst") if (place := Path(f"{path}{ending}")).is_file()), None)


def iterate_lines(path: Path) -> Iterator[JsonLine]:
    """Yield the lines of a file that are not blank, while it is read."""
    with path.open("rb") as stream:
        yield from streamed_lines(stream, str(path), LIMITS)


def read_documents(path: Path) -> Iterator[LabelledDocument[Document]]:
    """Yield documents in the file's order; those without ``keyphrases`` have no gold."""
    ids: set[str] = set()
    for labelled in read_labelled(iterate_lines(path), LIMITS):
        if labelled.id in ids:
            raise BadRecord(f"document {labelled.id!r} comes twice in {path}", _DIFFERENT)
        ids.add(labelled.id)
        yield labelled


def read_readable(path: Path) -> Iterator[Document | Failure]:
    """Yield documents in order, without gold, and a failure for each broken or repeated one, if any can be read."""
    ids: set[str] = set()
    try:
        for line in iterate_lines(path):
            try:
                document = document_of_line(line, LIMITS)
                if document.id in ids:
                    raise BadRecord(f"line {line.number} of {path}: document {document.id!r} comes twice", _DIFFERENT)
                ids.add(document.id)
            except KeywrightError as error:
                yield Failure.from_error(f"{path}:{line.number}", error)
            else:
                yield document
    except UnreadableInput as error:
        if not ids:
            raise
        yield Failure.from_error(str(path), error)


def count_lines(path: Path) -> int:
    """Return the number of lines that are not blank."""
    with path.open("rb") as stream:
        return sum(bool(line.strip()) for line in open_unpacked(stream, str(path), LIMITS))
