"""keywright completion: scripts that complete commands and options in a shell."""

import sys
from typing import Final, Literal

from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import open_output

COMPLETING: Final = "_KEYWRIGHT_COMPLETE"
"""Variable with which a shell asks the program for completions."""


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
