"""keywright completion: scripts that complete commands and options in a shell."""

import enum
import sys
from typing import Annotated, Final

import typer

from keywright.faces.cli.printing import open_output

COMPLETING: Final = "_KEYWRIGHT_COMPLETE"
"""Variable with which a shell asks the program for completions."""


class Shell(enum.StrEnum):
    """Shells with completion."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="Shell to complete in.")]) -> None:
    """Print a script with which a shell completes verbs and options of keywright.

    bash: add `eval "$(keywright completion bash)"` to ~/.bashrc. zsh: add `eval "$(keywright completion zsh)"` to
    ~/.zshrc, below compinit. fish: keywright completion fish > ~/.config/fish/completions/keywright.fish
    """
    from typer._completion_shared import get_completion_script  # noqa: PLC0415 - only this verb needs it

    with open_output(None) as file:
        file.write(get_completion_script(prog_name="keywright", complete_var=COMPLETING, shell=shell.value) + "\n")


def answer_shells() -> None:
    """Let the program answer a shell's requests for completions."""
    from typer._completion_classes import completion_init  # noqa: PLC0415 - only completion needs it

    completion_init()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # standard output is text
