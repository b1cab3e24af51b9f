"""keywright doctor: what is installed, what data is there, and whether extraction works."""

import os
import platform
import re
from typing import Any, Final

import typer

from keywright.core.version import VERSION
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, print_table, printable, table
from keywright.faces.errors import PARTLY

_TEXT: Final = (
    "Tide gauges measure sea level at harbours. A tide gauge drifts, so tide gauges are compared with satellite "
    "altimetry. Satellite altimetry sees the open ocean, and sea level rises there as well."
)
_EXPECTED: Final = {"tide gauges", "satellite altimetry"}
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"]([\w-]+)['\"])?")


def doctor(
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """What is installed, which extras and data are there, and a self-check."""
    found: dict[str, Any] = {
        "keywright": VERSION,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": _packages(),
        "data": _data(),
        "self_check": _self_check(),
    }
    if json:
        print_json(found)
    else:
        _print(found)
    if not found["self_check"]["ok"] or any(not one["version"] and not one["extra"] for one in found["packages"]):
        raise typer.Exit(PARTLY)


def _packages() -> list[dict[str, Any]]:
    """What the core and each extra need, with the installed version or none."""
    from importlib import metadata  # noqa: PLC0415 - help does without

    rows = []
    for line in metadata.requires("keywright") or ():
        matched = _REQUIREMENT.match(line)
        if matched is None or matched[1] == "keywright" or matched[2] in {"dev", "all"}:
            continue
        try:
            version: str | None = metadata.version(matched[1])
        except metadata.PackageNotFoundError:
            version = None
        rows.append({"package": matched[1], "extra": matched[2], "version": version})
    return rows


def _data() -> dict[str, Any]:
    """Where data is looked for, and which collections are there."""
    from keywright.core.errors import KeywrightError  # noqa: PLC0415 - help does without
    from keywright.datasets.data_folders import cache_folder  # noqa: PLC0415 - help does without
    from keywright.datasets.listing import listing  # noqa: PLC0415 - help does without

    places = {"mirror": os.environ.get("KEYWRIGHT_MIRROR"), "cache": str(cache_folder())}
    try:
        return {**places, "sets": {row["name"]: row["here"] for row in listing()}, "error": None}
    except KeywrightError as error:
        return {**places, "sets": {}, "error": str(error)}


def _self_check() -> dict[str, Any]:
    """Keyphrases of a built-in text, which must hold the obvious ones."""
    from keywright import api  # noqa: PLC0415 - help does without

    try:
        phrases = [text.lower() for text in api.extract(_TEXT, top=6, language="en").texts]
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the installation is what is asked for
        return {"ok": False, "keyphrases": [], "error": f"{type(error).__name__}: {error}"}
    return {"ok": set(phrases) >= _EXPECTED, "keyphrases": phrases, "error": None}


def _print(found: dict[str, Any]) -> None:
    typer.echo(f"keywright {found['keywright']}, Python {found['python']}, {found['platform']}")
    made = table("package", "for", "version")
    for one in found["packages"]:
        line = (
            f"missing: pip install 'keywright[{one['extra']}]'" if one["extra"] else "missing: install keywright again"
        )
        made.add_row(one["package"], f"extra {one['extra']}" if one["extra"] else "core", one["version"] or line)
    print_table(made)
    data = found["data"]
    typer.echo(printable(f"KEYWRIGHT_MIRROR  {data['mirror'] or 'not set'}"))
    typer.echo(printable(f"cache             {data['cache']}"))
    made = table("data set", "here")
    for name, here in data["sets"].items():
        made.add_row(name, "yes" if here else f"no: keywright datasets show {name}")
    print_table(made)
    if data["error"]:
        typer.echo(printable(f"data: {data['error']}"))
    check = found["self_check"]
    verdict = "fine" if check["ok"] else f"failed: {check['error'] or 'unexpected keyphrases'}"
    typer.echo(printable(f"self-check {verdict}: {', '.join(check['keyphrases'])}"))
