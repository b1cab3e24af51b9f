"""The server: tools are listed and called; work is done in threads, so that it answers while it works.

Standard output belongs to the protocol: the SDK points it to standard error for everything else.
"""

import io
import re
import sys
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from keywright import api
from keywright.core import VERSION
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, TooLarge, needs_extra, unknown_name
from keywright.core.json_values import replace_surrogates, to_json
from keywright.core.predictions import Failure
from keywright.core.records import Record
from keywright.faces.assistants.tools import Tools, tool_cards
from keywright.faces.exit_codes import DescribedError

with needs_extra("mcp", "tools for assistants need the package mcp"):
    import anyio
    import anyio.to_thread
    import jsonschema
    from mcp import types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server

_AT_ONCE: Final = 2  # Extractions at the same time; arbitrary, an assistant rarely calls more
_LONGEST_COMPLAINT: Final = 200  # Characters of a complaint about an argument, which repeats the argument; arbitrary
_INSTRUCTIONS: Final = (
    "Keyphrases of texts and documents, computed on this machine without network. Use extract_keyphrases for a text "
    "and extract_file, if it is there, for a file. Each keyphrase has the probability that a person would choose it."
)


def make_server(tools: Tools) -> "Server[Any]":
    """Return a server with the tools."""
    calls = _Calls(tools)
    about: Any = {"version": VERSION, "title": "keywright: keyphrases", "instructions": _INSTRUCTIONS}
    return Server("keywright", **about, on_list_tools=calls.list_tools, on_call_tool=calls.call_tool)


def serve(tools: Tools) -> None:
    """Answer on standard input and output until the input ends."""
    server = make_server(tools)

    async def run() -> None:
        # The SDK answers nothing to a line with half a character.
        lines = anyio.wrap_file(_WholeCharacters(sys.stdin.buffer, encoding="utf-8", errors="replace"))
        async with stdio_server(lines) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)


_ESCAPES: Final = re.compile(
    r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)"
)
"""Escapes of JSON: a pair of halves of a character, a half alone, which is a group, and any other."""


class _WholeCharacters(io.TextIOWrapper):
    """Lines of JSON with replacement characters for halves of characters."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # that of text, not of bytes
        return _ESCAPES.sub(lambda escape: "\\ufffd" if escape[1] else escape[0], super().readline(size))


class _Calls:
    """The answers to requests about tools."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        cards = tool_cards(tools.most_characters, with_files=tools.folder is not None)
        self._cards = {card.name: card for card in cards}
        self._validators = {card.name: jsonschema.Draft202012Validator(card.takes) for card in cards}
        self._working = anyio.CapacityLimiter(_AT_ONCE)
        self._reading = anyio.CapacityLimiter(1)

    async def list_tools(self, _context: Any, _params: Any) -> "types.ListToolsResult":
        """Return all tools."""
        hints = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        names = ("name", "title", "description", "input_schema", "output_schema")
        cards: list[Any] = [dict(zip(names, card, strict=True)) for card in self._cards.values()]
        return types.ListToolsResult(tools=[types.Tool(**card, annotations=hints) for card in cards])

    async def call_tool(self, _context: Any, params: "types.CallToolRequestParams") -> "types.CallToolResult":
        """Return the result of a call, an error as a result that says so."""
        try:
            return await self._answer(params.name, params.arguments or {})
        except Exception as error:  # noqa: BLE001 - one call fails, not the server
            return _make_result(DescribedError.of(error).record, is_error=True)

    async def _answer(self, name: str, arguments: Mapping[str, Any]) -> "types.CallToolResult":
        if name not in self._cards:
            raise unknown_name("tool", name, self._cards, "tools/list")
        self._check(name, arguments)
        match name:
            case "extract_file":
                path, options = arguments["path"], {key: value for key, value in arguments.items() if key != "path"}
                documents = await self._read_documents(path)
                records = await self._work(partial(self._tools.records, documents, **options))
                errors = [record["error"] for record in records if "error" in record]
                if len(errors) == len(records):
                    return _make_result({"error": errors[0]}, is_error=True)
                return _make_result({"documents": records})
            case "extract_keyphrases":
                record = await self._work(partial(self._tools.extract_keyphrases, **arguments))
                failed = "error" in record
                return _make_result({"error": record["error"]} if failed else record, is_error=failed)
            case "score_keyphrases":
                return _make_result(await self._work(partial(self._tools.score_keyphrases, **arguments)))
            case _:
                return _make_result(await self._work(self._tools.list_systems))

    def _check(self, name: str, arguments: Mapping[str, Any]) -> None:
        error = jsonschema.exceptions.best_match(self._validators[name].iter_errors(arguments))
        if error is None:
            return
        where = ".".join(map(str, error.absolute_path)) or "the arguments"
        if error.validator == "maxLength":
            message = f"{where} has {len(error.instance):,} characters; at most {error.validator_value:,} are taken"
            raise TooLarge(message, "split it, or ask whoever runs the server to raise --max-chars")
        complaint = error.message
        if len(complaint) > _LONGEST_COMPLAINT:
            complaint = f"wrong value for {error.validator!r}"
        raise BadParameter(f"{where}: {complaint}", f"see the input schema of {name}")

    async def _work(self, work: Any) -> Any:
        """Return what work gives that is done in a thread; if the call is cancelled, nobody waits for it."""
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._working)

    async def _read_documents(self, path: str) -> tuple[Document | Failure, ...]:
        """Return the documents of a file, one file at a time; if the call is cancelled, the reading is ended."""
        begun = threading.Event()

        def read_file() -> tuple[Document | Failure, ...]:
            begun.set()
            return self._tools.documents(path)

        try:
            return await anyio.to_thread.run_sync(read_file, abandon_on_cancel=True, limiter=self._reading)
        except anyio.get_cancelled_exc_class():
            if begun.is_set():
                api.stop_reading()
            raise


def _make_result(values: Record, *, is_error: bool = False) -> "types.CallToolResult":
    """Return values as structured content, and as text for clients that read only text."""
    values = replace_surrogates(values)
    text = types.TextContent(type="text", text=to_json(values))
    return types.CallToolResult(content=[text], structured_content=values, is_error=is_error)
