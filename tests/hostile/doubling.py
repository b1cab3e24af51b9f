"""``make doubling``: processor time of every entry that takes a text or a list, at a length and at twice the length.

An entry is measured at the longest length that takes less than a second here or is its limit, so that the ratio shows
how it grows where it matters. Growth is linear where the time doubles; the command prints the ratio of each, the least
of some rounds, and ends with 1 where one is above 2.6, that is 1.3 times linear. ``--only`` measures some.
"""

import argparse
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import openpyxl
import pyarrow as pa
import pyarrow.parquet
from tests.service.test_bounds import answer, nest, pack
from tests.unit.reading.test_office import BOX, PAGE, P, epub_of, odt_of, pptx_of, shape

import keywright as kw
from keywright.api.serving import MOST_LISTED, RequestWork, TextRequest
from keywright.core.errors import KeywrightError
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.faces.outputs.output_formats import KEYPHRASES
from keywright.faces.outputs.results import Writer
from keywright.reading.limits import Limits
from keywright.reading.phrase_lists import read_labels
from keywright.reading.tables.files import open_table

WORST = 2.6  # 1.3 times linear
ENOUGH = 0.4  # seconds from which a time is measured well; arbitrary
ROUNDS = 3
_WORDS = 3_000  # different words of long texts, as a long book has; arbitrary
LIMITS = Limits()


class Entry(NamedTuple):
    """A way in: ``make`` returns work on so many items, lengths from ``least`` to half of ``most``."""

    name: str
    make: Callable[[int], Callable[[], object]]
    least: int
    most: int


def write_text(words: int) -> str:
    """Return sentences of some words, of which few are frequent, as in texts of people."""
    rng = random.Random(1)
    names = ["".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randint(3, 9))) for _ in range(_WORDS)]
    chosen = [names[min(int(rng.paretovariate(0.6)) - 1, _WORDS - 1)] for _ in range(words)]
    return ". ".join(" ".join(chosen[at : at + 14]).capitalize() for at in range(0, words, 14)) + "."


def list_entries(folder: Path) -> Iterator[Entry]:
    """Yield all entries; ``folder`` is for files."""
    yield from _list_texts()
    yield from _list_pages()
    yield from _list_files(folder)
    yield Entry("labels", _labels(folder), 2_000, 1_000_000)
    yield Entry("vocabulary", _vocabulary(folder), 500, 200_000)
    yield Entry("scores of a list", _score, 200, 20_000)
    yield Entry("collection", _collection(folder), 100, 20_000)
    for form in KEYPHRASES:
        if form.name not in {"pdf", "table"} and not form.records:
            yield Entry(f"{form.name} written", _written(form), 100, 20_000)


def _list_texts() -> Iterator[Entry]:
    work = RequestWork()

    def post(form: Callable[[int], dict[str, object]]) -> Callable[[int], Callable[[], object]]:
        def make(size: int) -> Callable[[], object]:
            body = json.dumps(form(size)).encode()
            return lambda: work.extract_texts([TextRequest(body)])

        return make

    yield Entry("text", post(lambda size: {"text": write_text(size)}), 2_000, 300_000)
    yield Entry("text, one word", post(lambda size: {"text": "tide " * size}), 2_000, 400_000)
    yield Entry("text without a blank", post(lambda size: {"text": "a" * size}), 10_000, 2_000_000)
    yield Entry("text, one letter a line", post(lambda size: {"text": "a\n" * size}), 2_000, 1_000_000)
    yield Entry("text of signs", post(lambda size: {"text": "-=(" * size}), 2_000, 600_000)
    yield Entry("text of brackets", post(lambda size: {"text": "([{" * size}), 2_000, 600_000)
    yield Entry("text of brackets in words", post(lambda size: {"text": "x[y" * size}), 2_000, 600_000)
    yield Entry("text of letters and commas", post(lambda size: {"text": "A,é," * size}), 2_000, 500_000)
    yield Entry("text of Devanagari letters", post(lambda size: {"text": "क" * size}), 2_000, 2_000_000)
    yield Entry("text in Chinese", post(lambda size: {"text": "潮位站测量海平面。" * size}), 500, 200_000)
    yield Entry("text of headings", post(lambda size: {"text": "1 Tides\n\nGauges drift.\n\n" * size}), 500, 80_000)
    yield Entry("text, reasons", post(lambda size: {"text": write_text(size), "explain": True}), 2_000, 300_000)
    yield Entry("sections", post(_list_sections), 100, 100_000)
    yield Entry("stop phrases", _stop_phrases, 1_000, 400_000)


def _list_pages() -> Iterator[Entry]:
    def returned(address: str, state: Callable[[int], str], **fields: str) -> Callable[[int], Callable[[], object]]:
        def make(size: int) -> Callable[[], object]:
            packed = state(size)
            return lambda: answer(address, state=packed, **fields)

        return make

    yield Entry("page, mentions", returned("/shown", nest), 1_000, 400_000)
    yield Entry(
        "page, text", returned("/shown", lambda size: pack(write_text(size), [("tide", [[0, 4]])])), 5_000, 400_000
    )
    yield Entry(
        "page, phrases", returned("/shown", lambda size: pack("a" * 9, [("p" * 9, [])] * size)), 20, MOST_LISTED
    )
    yield Entry("page, review", _review, 500, 20_000)
    yield Entry("page, HTML", returned("/export", nest, format="html"), 1_000, 400_000)


def _list_files(folder: Path) -> Iterator[Entry]:
    def read(name: str, write: Callable[[int], bytes]) -> Callable[[int], Callable[[], object]]:
        def make(size: int) -> Callable[[], object]:
            path = folder / name
            path.write_bytes(write(size))
            return lambda: list(kw.read_all(path))

        return make

    def table(name: str, write: Callable[[Path, int], object]) -> Callable[[int], Callable[[], object]]:
        def make(size: int) -> Callable[[], object]:
            write(folder / name, size)
            return lambda: sum(1 for _ in open_table(folder / name, name, LIMITS).rows)

        return make

    yield Entry("HTML", read("a.html", lambda size: b"<p>Tide gauges <b>drift</b>.</p>" * size), 1_000, 400_000)
    yield Entry("HTML, comments", read("d.html", lambda size: b"<!--" * size + b"Tides."), 2_000, 400_000)
    yield Entry("HTML, shares", read("e.html", lambda size: b"<p>share on %b!" % (b"share" * size)), 2_000, 400_000)
    yield Entry("HTML, nested", read("b.html", lambda size: b"<div>" * size + b"Tides."), 200, 100_000)
    yield Entry("HTML, a table", read("c.html", lambda size: b"<table>" + b"<tr><td>1" * size), 1_000, 400_000)
    yield Entry(
        "HTML, unseen", read("f.html", lambda size: b"<p class=sr-only>a<p class=headerlink>b" * size), 1_000, 200_000
    )
    control, tree = (
        b"<p aria-controls=a data-target=b onclick=c popover>a",
        b"<template shadowrootmode=open><slot name=a>",
    )
    yield Entry("HTML, controls", read("g.html", lambda size: b"Tides." + control * size), 1_000, 200_000)
    yield Entry(
        "HTML, shadow trees",
        read("h.html", lambda size: b"<p>Tides." + (tree + b"</slot></template>") * size),
        1_000,
        200_000,
    )
    yield Entry(
        "HTML, tables", read("i.html", lambda size: b"<p>Tides." + b"<table><tr><td>1</table>" * size), 1_000, 200_000
    )
    yield Entry("RTF, fonts", read("a.rtf", lambda size: b"{\\rtf1\\ansi" + b"\\f1 a " * size + b"}"), 1_000, 100_000)
    yield Entry("Markdown", read("a.md", lambda size: b"# Tides\n\nGauges *drift* [a](b).\n\n" * size), 500, 200_000)
    yield Entry("Markdown, stars", read("b.md", lambda size: b"*a **b _c" * size), 500, 400_000)
    yield Entry("Markdown, brackets", read("c.md", lambda size: b"[a](" * size), 500, 400_000)
    yield Entry("subtitles", read("a.vtt", _write_subtitles), 200, 100_000)
    yield Entry(
        "mail", read("a.eml", lambda size: b"Subject: a\n\n" + b"> Tide gauges drift.\n" * size), 1_000, 200_000
    )
    item = b"<description>Tide gauges drift.</description><description>Tide gauges.</description>"
    yield Entry("feed", read("a.rss", lambda size: b"<rss><item>" + item * size + b"</item></rss>"), 200, 100_000)
    yield Entry("feed, entries", read("b.rss", lambda size: b"<rss>" + b"<item>Tide</item>" * size), 200, 100_000)
    yield Entry(
        "EPUB",
        read("a.epub", lambda size: epub_of({f"{n}.xhtml": PAGE.format("Tides.") for n in range(size)})),
        50,
        20_000,
    )
    yield Entry(
        "ODT, boxes", read("a.odt", lambda size: odt_of(P.format(BOX.format(P.format("Tides."))) * size)), 200, 100_000
    )
    yield Entry(
        "ODT, nested",
        read("b.odt", lambda size: odt_of("<text:p><text:span>" * size + "Tides." + "</text:span></text:p>" * size)),
        100,
        50_000,
    )
    yield Entry("PPTX, slides", read("a.pptx", lambda size: pptx_of([shape("Tides drift.")] * size)), 50, 20_000)
    yield Entry("PPTX, shapes", read("b.pptx", lambda size: pptx_of([shape("Tides drift.") * size])), 100, 50_000)
    yield Entry(
        "PPTX, groups",
        read("c.pptx", lambda size: pptx_of(["<p:grpSp>" * size + shape("Tides.") + "</p:grpSp>" * size])),
        50,
        20_000,
    )
    yield Entry("JATS", read("a.jats.xml", _write_jats), 200, 100_000)
    yield Entry(
        "JSON Lines", read("a.jsonl", lambda size: b'{"id": "a", "text": "Tides drift."}\n' * size), 500, 200_000
    )
    yield Entry(
        "CSV, rows",
        table("a.csv", lambda path, size: path.write_text("id,text\n" + "1,tides\n" * size)),
        5_000,
        2_000_000,
    )
    yield Entry(
        "CSV, columns",
        table("b.csv", lambda path, size: path.write_text("a," * size + "b\n" + "1," * size + "2\n")),
        5_000,
        2_000_000,
    )
    yield Entry("XLSX, rows", table("a.xlsx", _write_sheet), 500, 500_000)
    yield Entry("Parquet, rows", table("a.parquet", _write_parquet), 20_000, 4_000_000)


def _stop_phrases(size: int) -> Callable[[], object]:
    phrases = [f"tide gauge {number}" for number in range(size)]
    return lambda: kw.extract("Tide gauges drift.", stop_phrases=phrases)


def _list_sections(size: int) -> dict[str, object]:
    sections = [{"kind": "body", "text": f"Tide gauge {number} drifts."} for number in range(size)]
    return {"document": {"id": "a", "title": "Tides", "sections": sections}}


def _review(size: int) -> Callable[[], object]:
    state = pack("a" * 9, [(f"p{number}", []) for number in range(MOST_LISTED)])
    added = "\n".join(f"phrase {number}" for number in range(size))
    return lambda: answer("/review", state=state, **{"d1-added": added})


def _write_subtitles(size: int) -> bytes:
    return b"WEBVTT\n\n" + b"".join(
        b"00:%02d.000 --> 00:%02d.900\nTides drift.\n\n" % (n % 60, n % 60) for n in range(size)
    )


def _write_jats(size: int) -> bytes:
    return (
        b"<article><body>"
        + b"<sec><title>Tides</title><p>Gauges <italic>drift</italic>.</p></sec>" * size
        + b"</body></article>"
    )


def _write_sheet(path: Path, size: int) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in (("id", "text"), *((number, f"Tide gauge {number}") for number in range(size))):
        sheet.append(row)
    book.save(path)


def _write_parquet(path: Path, size: int) -> None:
    pyarrow.parquet.write_table(pa.table({"id": list(range(size)), "text": ["Tides"] * size}), path)


def _labels(folder: Path) -> Callable[[int], Callable[[], object]]:
    def make(size: int) -> Callable[[], object]:
        (folder / "labels.txt").write_text("".join(f"tide gauge {number}\n" for number in range(size)))
        return lambda: read_labels(folder / "labels.txt")

    return make


def _vocabulary(folder: Path) -> Callable[[int], Callable[[], object]]:
    def make(size: int) -> Callable[[], object]:
        labels = [f"tide gauge {chr(97 + number % 26)}{number}" for number in range(size)]
        return lambda: kw.build_vocabulary(labels, Path(tempfile.mkdtemp(dir=folder)) / "index")

    return make


def _score(size: int) -> Callable[[], object]:
    phrases = [f"tide gauge {number}" for number in range(size)]
    return lambda: kw.score([phrases], [phrases[::2]], "keywright-1", intervals=False)


def _collection(folder: Path) -> Callable[[int], Callable[[], object]]:
    def make(size: int) -> Callable[[], object]:
        phrases = [{"text": "tide gauges", "score": 1.0, "spans": []}, {"text": "sea level", "score": 0.5, "spans": []}]
        lines = (json.dumps({"id": f"d{number}", "keyphrases": phrases}) + "\n" for number in range(size))
        (folder / "lists.jsonl").write_text("".join(lines))
        return lambda: kw.collection([folder / "lists.jsonl"])

    return make


def _written(form: object) -> Callable[[int], Callable[[], object]]:
    def make(size: int) -> Callable[[], object]:
        keyphrases = tuple(Keyphrase(f"tide gauge {number}", -float(number)) for number in range(10))
        document = kw.document("Tide gauges drift.", "a")
        results = [(document, Prediction(f"d{number}", keyphrases, language="en")) for number in range(size)]

        def work() -> int:
            pieces = Writer("system").write(iter(results), form)
            return sum(map(len, pieces))

        return work

    return make


def measure(work: Callable[[], object]) -> float:
    """Return the seconds of processor time of this process for some work, which may be refused."""
    gc.collect()
    began = time.process_time()
    with suppress(KeywrightError):
        work()
    return time.process_time() - began


def find_ratio(entry: Entry) -> tuple[int, float, float]:
    """Return the length that was measured, its seconds, and the least ratio of twice the length to it."""
    size = entry.least
    measure(entry.make(size))  # what is loaded once
    while (seconds := measure(entry.make(size))) < ENOUGH and 2 * size <= entry.most // 2:
        size *= 2
    ratios = []
    for _ in range(ROUNDS):
        first, second = measure(entry.make(size)), measure(entry.make(2 * size))
        seconds = min(seconds, first)
        ratios.append(second / max(first, 1e-3))
    return size, seconds, min(ratios)


def main() -> int:
    """Measure, print, and return 1 if an entry grows faster."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="entries whose names contain this")
    chosen = parser.parse_args()
    above = 0
    with tempfile.TemporaryDirectory() as folder:
        for entry in list_entries(Path(folder)):
            if chosen.only not in entry.name:
                continue
            size, seconds, ratio = find_ratio(entry)
            is_above = ratio > WORST and seconds >= ENOUGH / 8
            above += is_above
            print(f"{entry.name:26} {size:9,} {seconds:7.2f} s  x {ratio:.2f}{'  above' * is_above}", flush=True)
    print(f"{above} above {WORST}")
    return int(bool(above))


if __name__ == "__main__":
    sys.exit(main())
