"""The place where text for people is shown: its width, and the characters that it can show."""

from dataclasses import dataclass
from typing import IO, Final

PLAIN_WIDTH: Final = 80
"""Columns of tables in files and pipes, whatever the terminal, so that the same command always writes the same text."""
_BLOCKS: Final = " ▏▎▍▌▋▊▉"
"""Blocks of 0 to 7 eighths of a character."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Properties of an output for people.

    Attributes:
        width: columns.
        unicode: whether it can show characters beyond ASCII.
        terminal: whether a terminal shows it, in colours.
    """

    width: int = PLAIN_WIDTH
    unicode: bool = True
    terminal: bool = False

    def bar(self, share: float, length: int) -> str:
        """Return a bar of a length for a share of 1, in eighths of a character; in whole ones for ASCII."""
        share = min(max(share, 0.0), 1.0)
        if not self.unicode:
            return "#" * round(share * length)
        whole, rest = divmod(round(share * length * 8), 8)
        return "█" * whole + _BLOCKS[rest].strip()

    def characters(self, text: str) -> str:
        """Return text with ASCII in place of lines, ellipses and guillemets where only ASCII can be shown."""
        return text if self.unicode else text.translate(_PLAIN)

    def wrapped(self, text: str, first: str = "", rest: str | None = None) -> str:
        """Return text in lines of the width, with line ends, behind a prefix for the first and one for the rest.

        Without ``rest``, further lines are indented as far as the first prefix is wide.
        """
        from rich.cells import cell_len  # noqa: PLC0415 - help does without
        from rich.console import Console  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        if rest is None:
            rest = " " * cell_len(first)
        else:
            first, text = "", first + text
        room = max(self.width - cell_len(rest), _NARROWEST)
        # Rich counts the cells of wide characters, which textwrap does not.
        lines = Text(text).wrap(Console(width=room), room)
        return "".join(f"{rest if number else first}{line.plain.rstrip()}\n" for number, line in enumerate(lines))


_NARROWEST: Final = 10
"""Minimum columns of broken text; arbitrary: narrower terminals break lines themselves."""
_PLAIN: Final = str.maketrans({"─": "-", "…": "...", "»": ">", "«": "<", "×": "x", "–": "-", "█": "#"})


def screen_of(file: IO[str]) -> Screen:
    """Return the properties of an output: a terminal's own width, and 80 columns elsewhere."""
    if not file.isatty():
        return Screen(PLAIN_WIDTH, _shows_blocks(file))
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    return Screen(Console(file=file).width, _shows_blocks(file), terminal=True)


def _shows_blocks(file: IO[str]) -> bool:
    try:
        "█─".encode(getattr(file, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
