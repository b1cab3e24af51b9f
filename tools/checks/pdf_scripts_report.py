"""Set one text as a PDF by four producers in twelve scripts, read it back, and print the share of its words read.

    pip install typst reportlab python-bidi
    apt-get install chromium libreoffice-writer-nogui fonts-noto-core fonts-noto-cjk
    KEYWRIGHT_MIRROR=../shared/data python tools/checks/pdf_scripts_report.py FOLDER [LANGUAGE ...]

The text is the beginning of the Universal Declaration of Human Rights. FOLDER gets the PDFs, which are kept for a
second run. Words are counted as often as they occur; of Chinese, Japanese and Thai, which set no blanks between words,
so are runs of three characters.
"""

import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Final

from keywright.core.errors import KeywrightError
from keywright.core.zstandard import zstd
from keywright.reading.formats.pdf import read_pdf
from keywright.reading.limits import Limits

FONTS: Final = {
    "en": "Sans", "ru": "Sans", "el": "Sans", "ar": "Sans Arabic", "he": "Sans Hebrew", "hi": "Sans Devanagari",
    "bn": "Sans Bengali", "ta": "Sans Tamil", "th": "Sans Thai", "zh": "Sans CJK SC", "ja": "Sans CJK JP",
    "ko": "Sans CJK KR",
}  # fmt: skip
"""Fonts of Noto for the twelve languages."""
RIGHT_TO_LEFT: Final = frozenset({"ar", "he"})
WITHOUT_BLANKS: Final = frozenset({"zh", "ja", "th"})
PARAGRAPHS, TURNED = 24, 6  # paragraphs of the text that are set, and of those on one turned page
SIZE, LINE = 11, 15  # points of type, and of a line
TOP, BOTTOM = 780, 60  # of a page of ReportLab, in points
LINE_LETTERS: Final = 80  # letters of its lines, and half as many of those without blanks


def main() -> None:
    """Print a table."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    texts = read_texts(Path(os.environ["KEYWRIGHT_MIRROR"]) / "languages" / "udhr.jsonl.zst")
    print("language", *PRODUCERS, sep="\t")
    for language in sys.argv[2:] or FONTS:
        shares = []
        for name, produce in PRODUCERS.items():
            path = folder / f"{language}-{name}.pdf"
            if not path.exists():
                produce(texts[language], language, path)
            given = texts[language][:TURNED] if name == "turned" else texts[language]
            shares.append(f"{measure(given, language, path):.3f}")
        print(language, *shares, sep="\t", flush=True)


def read_texts(path: Path) -> dict[str, list[str]]:
    """Return the paragraphs of each language."""
    lines = zstd.open(io.BytesIO(path.read_bytes())).read().decode().splitlines()
    records = [json.loads(line) for line in lines]
    return {record["language"]: record["paragraphs"][:PARAGRAPHS] for record in records}


def measure(paragraphs: list[str], language: str, path: Path) -> float:
    """Return the share of the words of a text that are read, each as often as it occurs."""
    try:
        text = read_pdf(path.read_bytes(), path.name, Limits()).text
    except KeywrightError:
        return 0.0
    given, read = count_words(" ".join(paragraphs), language), count_words(text, language)
    return sum((given & read).values()) / sum(given.values())


def count_words(text: str, language: str) -> Counter[str]:
    """Return words without signs; runs of three characters where words are not apart."""
    letters = [(letter, unicodedata.category(letter)) for letter in unicodedata.normalize("NFKC", text)]
    # Joiners and the like, which are not printed, are no part of words.
    plain = "".join(letter if kind[0] in "LMN" else " " for letter, kind in letters if kind != "Cf")
    if language in WITHOUT_BLANKS:
        plain = plain.replace(" ", "")
        return Counter(plain[at : at + 3] for at in range(len(plain) - 2))
    return Counter(plain.split())


def _page(paragraphs: list[str], language: str) -> str:
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    blocks = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    style = f"body {{ font: 11pt 'Noto {FONTS[language]}'; }}"
    head = f"<meta charset='utf-8'><title>{escape(paragraphs[0])}</title><style>{style}</style>"
    return f"<!DOCTYPE html><html lang={language} dir={direction}><head>{head}</head><body>{blocks}</body></html>"


def by_chromium(paragraphs: list[str], language: str, path: Path) -> None:
    """Print a page by Chromium."""
    page = path.with_suffix(".html")
    page.write_text(_page(paragraphs, language), "utf-8")
    command = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
    subprocess.run((*command, f"--print-to-pdf={path}", page.absolute().as_uri()), check=True, capture_output=True)


def by_libreoffice(paragraphs: list[str], language: str, path: Path) -> None:
    """Convert the page by LibreOffice."""
    page = path.with_suffix(".html")
    page.write_text(_page(paragraphs, language), "utf-8")
    command = ("soffice", "--headless", "--convert-to", "pdf:writer_web_pdf_Export", "--outdir", str(path.parent))
    subprocess.run((*command, str(page)), check=True, capture_output=True)


def by_typst(paragraphs: list[str], language: str, path: Path) -> None:
    """Set the text by Typst."""
    import typst  # noqa: PLC0415 - only this program needs it

    source = _settings(language) + _markup(paragraphs)
    path.write_bytes(typst.compile(source.encode()))


def by_reportlab(paragraphs: list[str], language: str, path: Path) -> None:
    """Set the text by ReportLab, which shapes nothing: lines from right to left are written as they are seen."""
    from bidi import get_display  # noqa: PLC0415 - only this program needs it
    from reportlab.pdfbase import cidfonts, pdfmetrics, ttfonts  # noqa: PLC0415 - the same
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - the same

    font = f"noto-{language}"
    cid = {"zh": "STSong-Light", "ja": "HeiseiMin-W3", "ko": "HYSMyeongJo-Medium"}.get(language)
    if cid:
        pdfmetrics.registerFont(cidfonts.UnicodeCIDFont(cid))
    else:
        found = subprocess.run(
            ("fc-match", "-f", "%{file}", f"Noto {FONTS[language]}:style=Regular"), check=True, capture_output=True
        )
        pdfmetrics.registerFont(ttfonts.TTFont(font, found.stdout.decode()))
    canvas = Canvas(str(path))
    height = TOP
    for paragraph in paragraphs:
        for line in _break_lines(paragraph, language):
            shown = get_display(line) if language in RIGHT_TO_LEFT else line
            canvas.setFont(cid or font, SIZE)
            if language in RIGHT_TO_LEFT:
                canvas.drawRightString(540, height, shown)
            else:
                canvas.drawString(60, height, shown)
            height -= LINE
            if height < BOTTOM:
                canvas.showPage()
                height = TOP
        height -= 8
    canvas.save()


def _break_lines(paragraph: str, language: str) -> list[str]:
    """Return lines of a paragraph of at most so many letters."""
    if language in WITHOUT_BLANKS:
        return [paragraph[at : at + LINE_LETTERS // 2] for at in range(0, len(paragraph), LINE_LETTERS // 2)]
    lines = [""]
    for word in paragraph.split():
        if len(lines[-1]) + len(word) > LINE_LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def by_turned_typst(paragraphs: list[str], language: str, path: Path) -> None:
    """Set the beginning of the text by Typst, turned by 90 degrees on a page that is not."""
    import typst  # noqa: PLC0415 - only this program needs it

    block = f"#rotate(90deg, reflow: true, block(width: 24cm)[{_markup(paragraphs[:TURNED])}])"
    path.write_bytes(typst.compile((_settings(language) + block).encode()))


def _settings(language: str) -> str:
    return f'#set text(lang: "{language}", font: "Noto {FONTS[language]}", size: {SIZE}pt)\n#set par(justify: true)\n'


def _markup(paragraphs: list[str]) -> str:
    return "\n\n".join(re.sub(r"([\\#$*_`<>@\[\]~=/+-])", r"\\\1", paragraph) for paragraph in paragraphs)


PRODUCERS: Final[dict[str, Callable[[list[str], str, Path], None]]] = {
    "chromium": by_chromium,
    "typst": by_typst,
    "turned": by_turned_typst,
    "libreoffice": by_libreoffice,
    "reportlab": by_reportlab,
}

if __name__ == "__main__":
    main()
