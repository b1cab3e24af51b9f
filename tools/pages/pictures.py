"""Take the pictures of the documentation: each is what a command of this list prints or writes.

python -m tools.pages.pictures          writes docs/pictures/
python -m tools.pages.pictures NAME...  writes these

Terminals are SVG drawings of real output on a terminal of that width. Pages are photographed by Chromium; without one
their pictures stay as they are, and the command says so.
"""

import contextlib
import fcntl
import io
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "pictures"
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_FONT: Final = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_COLOURS: Final = 128
"""Colours of a photograph of a page, which has few; arbitrary."""


class Terminal(NamedTuple):
    """A command whose output is drawn on a terminal so many columns wide."""

    command: str
    columns: int = 80


class Page(NamedTuple):
    """Commands, the last of which writes ``page.html``, photographed in a window of this size in pixels."""

    commands: tuple[str, ...]
    width: int
    height: int


class Served(NamedTuple):
    """The page of the service with a file or text, photographed in a window of this size in pixels."""

    width: int
    height: int
    file: str = "examples/article.pdf"
    text: str = ""
    dark: bool = False
    whole: bool = False  # from the form, not from the results


ARABIC: Final = (
    "تؤدي الكمامات الطبية إلى إبطاء انتشار العدوى في المستشفيات. تقيس الدراسة أثر الكمامات الطبية في انتشار العدوى بين"
    " المرضى، وتقارن المستشفيات التي تستعمل الكمامات الطبية بغيرها."
)
"""Medical masks slow the spread of infection in hospitals; written for the picture."""
COMPARED: Final = (
    "keywright run default examples/abstracts.jsonl -o default.jsonl --top 20 --quiet",
    "keywright run yake examples/abstracts.jsonl -o yake.jsonl --top 20 --quiet",
    "keywright compare default.jsonl yake.jsonl --protocol keywright-1 -o page.html",
)
PICTURES: Final[dict[str, Terminal | Page | Served]] = {
    "terminal.svg": Terminal("keywright extract examples/article.pdf --top 8 --quiet"),
    "explained.svg": Terminal("keywright extract examples/note.txt --top 2 --explain --quiet"),
    "narrow.svg": Terminal("keywright extract paper.pdf --top 5 --quiet", 40),
    "page.png": Page(("keywright extract examples/article.pdf --top 8 -o page.html --quiet",), 1000, 920),
    "page-phone.png": Page(("keywright extract examples/article.pdf --top 8 -o page.html --quiet",), 500, 900),
    "comparison.png": Page(COMPARED, 1000, 1150),
    "service.png": Served(1200, 1300, whole=True),
    "service-phone.png": Served(390, 900),
    "service-dark.png": Served(390, 900, dark=True),
    "service-arabic.png": Served(390, 900, text=ARABIC),
}
"""The pictures by the names of their files."""


def take(name: str, folder: Path) -> bytes | None:
    """Return the content of a picture, made in a folder with the examples; None without a browser that it needs."""
    picture = PICTURES[name]
    if isinstance(picture, Terminal):
        return _drawn(picture, folder, name.partition(".")[0]).encode()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return None
    return _small(
        _served(picture, folder, browser) if isinstance(picture, Served) else _photographed(picture, folder, browser)
    )


def _drawn(picture: Terminal, folder: Path, name: str) -> str:
    from rich.console import Console  # noqa: PLC0415 - only drawings need it
    from rich.text import Text  # noqa: PLC0415

    console = Console(record=True, width=picture.columns, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(_on_terminal(picture, folder).rstrip()))
    drawing = console.export_svg(title=f"$ {picture.command}", unique_id=name)
    return _FONT.sub("", drawing)  # the reader's own font: nothing is loaded from elsewhere


def _on_terminal(picture: Terminal, folder: Path) -> str:
    """Return what a command prints on a terminal of its own, colours included."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 100, picture.columns, 0, 0))
    environment = {**_environment(), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    command = shlex.split(picture.command)
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        text = b"".join(_chunks(ours))
    os.close(ours)
    if process.returncode:
        raise SystemExit(f"$ {picture.command}\nended with {process.returncode}:\n{text.decode()}")
    return text.decode().replace("\r\n", "\n")


def _chunks(file: int) -> Iterator[bytes]:
    with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
        while chunk := os.read(file, 1 << 16):
            yield chunk


def _photographed(picture: Page, folder: Path, browser: str) -> bytes:
    """Return a photograph of the page that the last command writes."""
    for command in picture.commands:
        subprocess.run(shlex.split(command), cwd=folder, env=_environment(), check=True, stderr=subprocess.DEVNULL)
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--screenshot=page.png"]
    size = f"--window-size={picture.width},{picture.height}"
    place = f"file://{folder / 'page.html'}"
    subprocess.run([browser, *options, size, place], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    (folder / "page.html").unlink()
    return (folder / "page.png").read_bytes()


def _served(picture: Served, folder: Path, browser: str) -> bytes:
    """Return a photograph of the page of the service, some decisions made."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only these need it

    with sync_playwright() as playwright, _service() as address:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        size = {"width": picture.width, "height": picture.height}
        page = chromium.new_page(viewport=size, color_scheme="dark" if picture.dark else "light")
        page.goto(address)
        if picture.text:
            page.fill("#text", picture.text)
        else:
            page.set_input_files("#files", folder / picture.file)
        page.click("text=Extract keyphrases")
        page.wait_for_selector("#results article")
        for place, decision in enumerate(("accept", "accept", "reject")):
            page.locator("[data-rank]").nth(place).locator(f'[aria-label="{decision}"]').check(force=True)
        page.evaluate("document.activeElement.blur()")
        if picture.whole:
            page.evaluate("scrollTo(0, 0)")
        photograph = page.screenshot()
        chromium.close()
    return photograph


@contextlib.contextmanager
def _service() -> Iterator[str]:
    """Run the service; yield its address."""
    command = ["keywright", "serve", "--port", "0", "--jobs", "1"]
    with subprocess.Popen(command, env=_environment(), stderr=subprocess.PIPE, text=True) as process:
        try:
            yield next(match[1] for line in process.stderr or () if (match := re.search(r"at (http://\S+)", line)))
        finally:
            process.terminate()


def _small(photograph: bytes) -> bytes:
    """Return a picture with few colours, as the pages have."""
    from PIL import Image  # noqa: PLC0415 - comes with matplotlib

    small = io.BytesIO()
    Image.open(io.BytesIO(photograph)).convert("RGB").quantize(_COLOURS).save(small, "PNG", optimize=True)
    return small.getvalue()


def _environment() -> dict[str, str]:
    """Return the environment without what would change the output."""
    changing = {"NO_COLOR", "COLUMNS", "LINES", "KEYWRIGHT_DEBUG", "KEYWRIGHT_MIRROR"}
    plain = {name: value for name, value in os.environ.items() if name not in changing}
    return plain | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{plain['PATH']}"}


def main() -> None:
    """Take the pictures named on the command line, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            shutil.copytree(ROOT / "examples", folder / "examples")
            shutil.copy(ROOT / "examples" / "article.pdf", folder / "paper.pdf")
            content = take(name, folder)
        if content is None:
            print(f"{name} stays as it is: none of {', '.join(BROWSERS)} is installed")
            continue
        (FOLDER / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
