"""keywright doctor and completion: what is installed, a self-check, and completion in a shell."""

import os
import platform
import re
import sys
from typing import Any, Final, Literal

import typer

from keywright import api
from keywright.core import VERSION
from keywright.core.errors import KeywrightError, describe_install
from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import Console, open_output, print_json, print_rows
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.screen import escape_controls

_TEXT: Final = (
    "Tide gauges measure sea level at harbours. A tide gauge drifts, so tide gauges are compared with satellite "
    "altimetry. Satellite altimetry sees the open ocean, and sea level rises there as well."
)
_EXPECTED: Final = {"tide gauges", "satellite altimetry"}
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"]([\w-]+)['\"])?")


@declare("keywright doctor")
def doctor(*, console: Console) -> None:
    """Show installed packages, extras and data, and run a self-check."""
    diagnosis: dict[str, Any] = {
        "keywright": VERSION,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": _list_packages(),
        "data": _find_data(),
        "self_check": _check_extraction(),
    }
    if console.json:
        print_json(diagnosis)
    else:
        _print_diagnosis(diagnosis)
    incomplete = any(not package["version"] and not package["extra"] for package in diagnosis["packages"])
    if incomplete or not diagnosis["self_check"]["ok"]:
        raise typer.Exit(PARTLY)


def _list_packages() -> list[dict[str, Any]]:
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


def _find_data() -> dict[str, Any]:
    places = {"mirror": os.environ.get("KEYWRIGHT_MIRROR"), "cache": str(api.cache_folder())}
    try:
        return {**places, "sets": {row["name"]: row["here"] for row in api.describe_datasets()}, "error": None}
    except KeywrightError as error:
        return {**places, "sets": {}, "error": str(error)}


def _check_extraction() -> dict[str, Any]:
    """Extract keyphrases of a built-in text; the obvious ones must be among them."""
    try:
        phrases = [text.lower() for text in api.extract(_TEXT, top=6, language="en").texts]
    except Exception as error:  # noqa: BLE001 - any problem of the installation is to be shown
        return {"ok": False, "keyphrases": [], "error": f"{type(error).__name__}: {error}"}
    return {"ok": set(phrases) >= _EXPECTED, "keyphrases": phrases, "error": None}


def _print_diagnosis(diagnosis: dict[str, Any]) -> None:
    typer.echo(f"keywright {diagnosis['keywright']}, Python {diagnosis['python']}, {diagnosis['platform']}")
    rows = []
    for package in diagnosis["packages"]:
        missing = "missing" if package["extra"] else "missing: install keywright again"
        origin = f"extra {package['extra']}" if package["extra"] else "core"
        rows.append((package["package"], origin, package["version"] or missing))
    print_rows(("package", "for", "version"), rows)
    extras = sorted({package["extra"] for package in diagnosis["packages"] if not package["version"]} - {None})
    if extras:
        typer.echo(f"to install what is missing: {describe_install(','.join(extras))}")
    data = diagnosis["data"]
    typer.echo(escape_controls(f"KEYWRIGHT_MIRROR  {data['mirror'] or 'not set'}"))
    typer.echo(escape_controls(f"cache             {data['cache']}"))
    sets = ((name, "yes" if here else f"no: keywright datasets show {name}") for name, here in data["sets"].items())
    print_rows(("data set", "here"), sets)
    if data["error"]:
        typer.echo(escape_controls(f"data: {data['error']}"))
    check = diagnosis["self_check"]
    verdict = "fine" if check["ok"] else f"failed: {check['error'] or 'unexpected keyphrases'}"
    typer.echo(escape_controls(f"self-check {verdict}: {', '.join(check['keyphrases'])}"))


COMPLETING: Final = "_KEYWRIGHT_COMPLETE"  # variable with which a shell asks the program for completions


@declare(  # noqa: S604 - a parameter of this name
    'eval "$(keywright completion bash)"', shell="bash|zsh|fish | Shell to complete in."
)
def completion(shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print a script with which a shell completes verbs and options of keywright.

    bash: add `eval "$(keywright completion bash)"` to ~/.bashrc. zsh: add `eval "$(keywright completion zsh)"` to
    ~/.zshrc, below compinit. fish: keywright completion fish > ~/.config/fish/completions/keywright.fish
    """
    from typer._completion_shared import get_completion_script  # noqa: PLC0415 - only this verb needs it

    with open_output(None) as file:
        file.write(get_completion_script(prog_name="keywright", complete_var=COMPLETING, shell=shell) + "\n")


def answer_shells() -> None:
    """Let the program answer a shell's requests for completions."""
    from typer._completion_classes import completion_init  # noqa: PLC0415 - only completion needs it

    completion_init()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # standard output is text
