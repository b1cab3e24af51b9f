"""keywright mcp: tools for assistants on standard input and output."""

from pathlib import Path
from typing import Annotated, Final

import typer

from keywright.core.errors import BadParameter, MissingData
from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import say

_CHARACTERS: Final = 1_000_000
"""Characters of a book of 500 pages; arbitrary."""
_BYTES: Final = 20_000_000
"""Bytes of a long paper with pictures, some times over; arbitrary."""


@declare(
    "keywright mcp --root papers",
    root="DIR | Folder whose files assistants may name; without it, no file.",
    system="-s | System that is used where a call names none, or folder of a trained one.",
)
def mcp(
    *,
    root: Path | None = None,
    system: str = "default",
    calibrator: Path | None = None,
    max_chars: Annotated[
        int, typer.Option("--max-chars", metavar="N", min=1, help="Most characters of a text.")
    ] = _CHARACTERS,
    max_bytes: Annotated[int, typer.Option("--max-bytes", metavar="N", min=1, help="Most bytes of a file.")] = _BYTES,
    quiet: bool = False,
) -> None:
    """Answer assistants over the Model Context Protocol, on standard input and output."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.faces.assistants.server import serve  # noqa: PLC0415 - needs the extra
    from keywright.faces.assistants.tools import OpenFolder, Tools  # noqa: PLC0415 - only this verb needs it

    if root is not None and not root.is_dir():
        error = BadParameter if root.exists() else MissingData
        raise error(f"--root {root} is not a folder", "name a folder of documents")
    api.ExtractJob((), system, calibrator=calibrator).extraction  # noqa: B018 - a wrong name is an error now
    folder = None if root is None else OpenFolder(root.resolve(), max_bytes)
    files = f"files in {root}" if root else "no files"
    say(f"keywright answers assistants on standard input and output: texts, {files}; Ctrl-D ends it", quiet=quiet)
    serve(Tools(system, folder, max_chars, calibrator))
