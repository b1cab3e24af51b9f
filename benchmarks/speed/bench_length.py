"""Cost of a text by its length: CPU time of ``kw.extract`` on texts of 100 to 1,000,000 characters.

    PYTHONPATH=. python benchmarks/speed/bench_length.py [--json FILE] [--picture FILE.svg]

Texts are stretches of the test papers of SemEval-2010 behind each other, no two the same. Each length is measured on
texts of 300,000 characters together, 60,000 for quality best, or one text, after a text of its own to begin with; the
least of three rounds counts. The exponent is the slope of the logarithm of the time over that of the length, 1 where
time grows as the text does.
"""

import argparse
import gc
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from papers import bare_papers
from tools.pages.writing import standalone

import keywright as kw
from keywright.core.pages import LINES, MARKERS, SHADES, Picture, open_figure

LENGTHS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
QUALITIES = ("standard", "best")
_TOGETHER = {"standard": 300_000, "best": 60_000}  # characters of all texts of a length; arbitrary, seconds of work
_ROUNDS = 3
_LONGEST_BEST = 100_000  # characters up to which quality best is measured: it takes ten times as long
_FROM = 3_000  # characters from which on the exponent is fitted: below, what each text costs at least counts


def cut_texts(whole: str, length: int, together: int) -> list[str]:
    """Return different stretches of a length, the first to begin with."""
    number = max(1, together // length) + 1
    step = max(1, (len(whole) - length) // number)
    return [whole[at * step : at * step + length] for at in range(number)]


def measure(texts: Sequence[str], quality: str) -> float:
    """Return CPU seconds of a text, the least of several rounds."""
    kw.extract(texts[0], quality=quality)
    seconds = []
    for _ in range(_ROUNDS):
        gc.collect()
        begin = time.process_time()
        for text in texts[1:]:
            kw.extract(text, quality=quality)
        seconds.append((time.process_time() - begin) / (len(texts) - 1))
    return min(seconds)


def fit_exponent(points: Sequence[tuple[int, float]]) -> float:
    """Return the slope of the logarithm of seconds over that of characters."""
    lengths, seconds = np.log(np.array([point for point in points if point[0] >= _FROM], float)).T
    return float(np.polyfit(lengths, seconds, 1)[0])


def draw(series: dict[str, list[tuple[int, float]]]) -> str:
    """Draw milliseconds over characters, both logarithmic, with a line of the same cost for each character."""
    with open_figure(4.0) as (drawn_on, axes):
        for number, (quality, points) in enumerate(series.items()):
            lengths, seconds = np.array(points, float).T
            style = {"marker": MARKERS[number], "linestyle": LINES[number], "color": SHADES[number]}
            axes.plot(lengths, 1000 * seconds, label=f"quality {quality}", linewidth=1.1, markersize=5, **style)
            if quality == QUALITIES[0]:
                even = 1000 * seconds[-1] * lengths / lengths[-1]
                axes.plot(lengths, even, color=SHADES[1], linewidth=0.7, label="the same for each character")
        axes.set_ylim(bottom=1)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set_xlabel("characters of the text")
        axes.set_ylabel("CPU time, ms")
        axes.grid(visible=True, axis="both")
        drawn_on.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=8)
        return Picture("CPU time of a text by its length", "length", drawn_on).inline()


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="draw them")
    options = parser.parse_args()
    whole = "\n\n".join(paper.text for paper in bare_papers())
    series: dict[str, list[tuple[int, float]]] = {}
    for quality in QUALITIES:
        for length in LENGTHS:
            if quality == "standard" or length <= _LONGEST_BEST:
                seconds = measure(cut_texts(whole, length, _TOGETHER[quality]), quality)
                series.setdefault(quality, []).append((length, seconds))
                print(
                    f"{quality:9} {length:9,} characters {1000 * seconds:10.2f} ms {length / seconds / 1e6:6.2f} MB/s"
                )
        print(f"{quality:9} exponent {fit_exponent(series[quality]):.2f} from {_FROM:,} characters on")
    if options.json:
        figures = {quality: [list(point) for point in points] for quality, points in series.items()}
        exponents = {quality: round(fit_exponent(points), 3) for quality, points in series.items()}
        options.json.write_text(json.dumps({"exponents": exponents, **figures}, indent=1) + "\n", "utf-8")
    if options.picture:
        options.picture.write_text(standalone(draw(series)), "utf-8")


if __name__ == "__main__":
    main()
