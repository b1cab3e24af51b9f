"""Archives of office programs, checked before anything is unpacked."""

import io
import zipfile
from typing import Final

from keywright.core.errors import BrokenFile, ProtectedFile
from keywright.reading.formats import OLE, Limits

_HARMLESS: Final = 100_000  # bytes unpacked that are accepted at any ratio; arbitrary


def check_archive(data: bytes, name: str, limits: Limits, kind: str) -> None:
    """Check the directory of a ZIP archive; ``kind`` is the format that it should be, such as ``DOCX``.

    Raises:
        ProtectedFile: it is locked, or of the format before 2007.
        BrokenFile: it is not an archive.
        TooLarge: it unpacks to more than ``limits`` accept.
    """
    if data.startswith(OLE):
        message = f"{name} is protected by a password, or in a format of Office before 2007"
        raise ProtectedFile(message, f"save it as {kind} without password")
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BrokenFile(
            f"{name} is not a readable {kind} file: {error}", "open it in its program and save it again"
        ) from error
    if any(member.flag_bits & 1 for member in members):
        raise ProtectedFile(f"{name} is encrypted", "save it without a password")
    limits.check_unpacked(len(data), sum(member.file_size for member in members), name, _HARMLESS)
