"""keywright serve and mcp: the HTTP service, and tools for assistants on standard input and output."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from keywright import api
from keywright.core.errors import BadParameter, MissingData, needs_extra
from keywright.faces.cli.options import declare, parse_pairs
from keywright.faces.cli.printing import Console


@declare(
    "keywright serve --port 8000",
    vocabulary="DIR | Index of a vocabulary that requests may name by its folder; may be given several times.",
    allowed_host="HOST | Host that requests may name, such as kw.example.org; may be given several times.",
    per_address="N | Requests of one address at once; default: half of all, for other machines than this.",
    cors="ORIGIN | Site whose pages may call the service, such as https://example.org; may be given several times.",
)
def serve(  # noqa: PLR0913 - one argument for each option
    *,
    host: Annotated[str, "ADDRESS | Address to listen on; 0.0.0.0 is every network."] = "127.0.0.1",
    port: Annotated[int, "N | Port to listen on; 0 takes a free one."] = 8000,
    system: str = "default",
    param: list[str] | None = None,
    calibrator: Path | None = None,
    vocabulary: list[Path] | None = None,
    jobs: int | None = None,
    queue: Annotated[int, "N | Requests that may wait beyond those in work; then 429."] = 64,
    timeout: Annotated[float, "SECONDS | Time for one document; then its work is ended."] = 30.0,
    max_bytes: Annotated[int, "N | Most bytes of a request's body."] = 20_000_000,
    max_chars: Annotated[int, "N | Most characters of a document's text."] = 2_000_000,
    token_file: Annotated[Path | None, "FILE | File with a token on each line; requests need one of them."] = None,
    cors: list[str] | None = None,
    allowed_host: list[str] | None = None,
    per_address: int | None = None,
    quiet: bool = False,
) -> None:
    """Serve keyphrases over HTTP, until Ctrl-C or SIGTERM; requests that were accepted are answered first.

    Documents are kept nowhere, and the log has no text of them.
    """
    for name, value, least in (
        *(("--queue", queue, 0), ("--timeout", timeout, 0.1), ("--max-bytes", max_bytes, 1)),
        *(("--max-chars", max_chars, 1), ("--jobs", 1 if jobs is None else jobs, 1)),
        ("--per-address", 1 if per_address is None else per_address, 1),
    ):
        if value < least:
            raise BadParameter(f"{name} {value}", f"expected a number from {least}")
    if not 0 <= port < 1 << 16:
        raise BadParameter(f"--port {port}", f"expected a number from 0 to {(1 << 16) - 1}")
    for origin in cors or ():
        if origin != "*" and not origin.startswith(("http://", "https://")):
            raise BadParameter(f"--cors {origin!r}", "expected an origin, such as https://example.org")
    with needs_extra("serve", "the service needs starlette, uvicorn, jinja2 and prometheus-client"):
        from keywright.faces.service.server import ServerOptions, run  # noqa: PLC0415 - help does without
    from keywright.api import serving  # noqa: PLC0415 - help does without

    work = serving.request_work(system, calibrator, vocabulary or (), max_chars, tuple(parse_pairs(param).items()))
    pool = serving.request_pool(work, jobs=jobs, queue=queue, seconds=timeout)
    hosts = tuple(name.lower() for name in allowed_host or ())
    options = ServerOptions(host, port, max_bytes, timeout, token_file, tuple(cors or ()), hosts, per_address)

    def log(line: str) -> None:
        with suppress(OSError):  # a service whose log nobody reads any more goes on, and can be stopped
            Console(quiet=quiet).say(line)

    run(work, pool, options, log)


_CHARACTERS: Final = 1_000_000  # Characters of a book of 500 pages; arbitrary
_BYTES: Final = 20_000_000  # Bytes of a long paper with pictures, some times over; arbitrary


@declare("keywright mcp --root papers")
def mcp(
    *,
    root: Annotated[Path | None, "DIR | Folder whose files assistants may name; without it, no file."] = None,
    system: Annotated[str, "-s | System that is used where a call names none, or folder of a trained one."] = "default",
    calibrator: Path | None = None,
    max_chars: Annotated[
        int, typer.Option("--max-chars", metavar="N", min=1, help="Most characters of a text.")
    ] = _CHARACTERS,
    max_bytes: Annotated[int, typer.Option("--max-bytes", metavar="N", min=1, help="Most bytes of a file.")] = _BYTES,
    quiet: bool = False,
) -> None:
    """Answer assistants over the Model Context Protocol, on standard input and output."""
    from keywright.faces.assistants.server import serve as answer_assistants  # noqa: PLC0415 - needs the extra
    from keywright.faces.assistants.tools import OpenFolder, Tools  # noqa: PLC0415 - only this verb needs it

    if root is not None and not root.is_dir():
        error = BadParameter if root.exists() else MissingData
        raise error(f"--root {root} is not a folder", "name a folder of documents")
    api.ExtractJob((), system, calibrator=calibrator).extraction  # noqa: B018 - a wrong name is an error now
    folder = None if root is None else OpenFolder(root.resolve(), max_bytes)
    files = f"texts, files in {root}" if root else "texts, no files"
    Console(quiet=quiet).say(f"keywright answers assistants on standard input and output ({files}); Ctrl-D ends it")
    answer_assistants(Tools(system, folder, max_chars, calibrator))
