"""What an assistant does with keywright: list the tools, call some, and print what goes over the line."""

import asyncio
import json
import os

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(command="keywright", args=["mcp", "--root", "examples", "--quiet"], env=dict(os.environ))
CALLS = (
    ("extract_file", {"path": "article.pdf", "top": 2}),
    ("score_keyphrases", {"predicted": ["soil moisture", "sensors"], "gold": ["soil moisture"], "measures": ["P@M"]}),
    ("extract_file", {"path": "../README.md"}),
)


async def main() -> None:
    """Ask, and print questions and answers."""
    async with Client(SERVER) as assistant:
        for tool in (await assistant.list_tools()).tools:
            print(f"{tool.name}: {tool.title}")
        for name, arguments in CALLS:
            result = await assistant.call_tool(name, arguments)
            print(f"\n> {name} {json.dumps(arguments)}")
            print(json.dumps(shown(result.structured_content), indent=1))


def shown(values: dict) -> dict:
    """Leave out of an answer what fills lines: signatures, places, counts, metadata."""
    for document in values.get("documents", ()):
        phrases = [{"text": each["text"], "probability": each["probability"]} for each in document["keyphrases"]]
        return {"documents": [{"id": document["id"], "keyphrases": phrases}]}
    return {name: values[name] for name in ("values", "error") if name in values}


if __name__ == "__main__":
    asyncio.run(main())
