"""keywright serve: the HTTP service."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from keywright.core.errors import BadParameter, needs_extra
from keywright.faces.cli.options import CalibratorFile, Jobs, Quiet
from keywright.faces.cli.printing import say


def serve(  # noqa: PLR0913 - one argument for each option
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on; 0.0.0.0 is every network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="Port to listen on; 0 takes a free one.")] = 8000,
    system: Annotated[
        str,
        typer.Option("--system", "-s", help="Name of a system (`keywright systems`), or folder of a trained system."),
    ] = "default",
    calibrator: CalibratorFile = None,
    vocabulary: Annotated[
        list[Path] | None,
        typer.Option(
            "--vocabulary",
            metavar="DIR",
            help="Index of a vocabulary that requests may name by its folder; may be given several times.",
        ),
    ] = None,
    jobs: Jobs = None,
    queue: Annotated[
        int, typer.Option("--queue", metavar="N", help="Requests that may wait beyond those in work; then 429.")
    ] = 64,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="Time for one document; then its work is ended.")
    ] = 30.0,
    max_bytes: Annotated[
        int, typer.Option("--max-bytes", metavar="N", help="Most bytes of a request's body.")
    ] = 20_000_000,
    max_chars: Annotated[
        int, typer.Option("--max-chars", metavar="N", help="Most characters of a document's text.")
    ] = 2_000_000,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="File with a token on each line; requests need one of them."),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            "--cors",
            metavar="ORIGIN",
            help="Site whose pages may call the service, such as https://example.org; may be given several times.",
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Serve keyphrases over HTTP, until Ctrl-C or SIGTERM; requests that were accepted are answered first.

    Documents are kept nowhere, and the log has no text of them.
    """
    for name, value, least in (
        *(("--queue", queue, 0), ("--timeout", timeout, 0.1), ("--max-bytes", max_bytes, 1)),
        *(("--max-chars", max_chars, 1), ("--jobs", 1 if jobs is None else jobs, 1)),
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

    work = serving.request_work(system, calibrator, vocabulary or (), max_chars)
    pool = serving.request_pool(work, jobs=jobs, queue=queue, seconds=timeout)
    options = ServerOptions(host, port, max_bytes, timeout, token_file, tuple(cors or ()))
    run(work, pool, options, partial(_log, quiet=quiet))


def _log(line: str, *, quiet: bool) -> None:
    """Write a line of the log; a service whose log nobody reads any more goes on, and can be stopped."""
    with suppress(OSError):
        say(line, quiet=quiet)
