"""Old names of options, which still work, with a note."""

from typing import Any, Final

from typer.core import TyperCommand

from keywright.faces.cli.printing import say

RENAMED: Final = {"--guarantee": "--confidence-level", "--confidence": "--score-field"}
"""Today's name of an option by its old one."""


class RenamingCommand(TyperCommand):
    """A command that also takes the old names of its options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Replace old names, up to ``--``, then parse as usual."""
        options = {name for parameter in self.params for name in parameter.opts}
        end = args.index("--") if "--" in args else len(args)
        for place, argument in enumerate(args[:end]):
            name, sign, value = argument.partition("=")
            current = RENAMED.get(name)
            if current in options and name not in options:
                say(f"note: {name} is now called {current}", quiet=bool({"-q", "--quiet"} & set(args)))
                args[place] = f"{current}{sign}{value}"
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed
