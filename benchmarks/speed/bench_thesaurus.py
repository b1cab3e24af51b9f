"""Speed and memory of a thesaurus in SKOS: to read and index it, to open it, and what it costs an abstract.

    python benchmarks/speed/bench_thesaurus.py [--concepts 30000 400000] [--json FILE]

Thesauri are made of words of abstracts: each concept has a preferred and an alternative label in English, a label in
Finnish, a notation and a broader concept. Each step runs in a process of its own, whose largest memory is measured;
seconds are CPU time. Bytes of an opened index are shared between processes, and only those that are used are read.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import papers

import keywright as kw

_ABSTRACTS = 300
_SEED = 1
_MEGABYTE = 1_024  # of ``ru_maxrss``, which is in kilobytes


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--concepts", type=int, nargs="+", default=[30_000, 400_000], help="sizes of the thesauri")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--step", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(_step(options.step[0], Path(options.step[1]))))
        return
    figures = {f"{size:,} concepts": _measured(size) for size in options.concepts}
    for name, values in figures.items():
        print(name)
        for key, value in values.items():
            print(f"  {key}: {value:,.3f}" if isinstance(value, float) else f"  {key}: {value:,}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def _measured(size: int) -> dict[str, Any]:
    """Return the figures of a thesaurus."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _write(folder / "thesaurus.ttl", size)
        figures: dict[str, Any] = {"file MB": (folder / "thesaurus.ttl").stat().st_size / 1e6}
        nothing = _run("nothing", folder)
        for name in ("build", "open", "extract"):
            step = _run(name, folder)
            figures |= {f"{name} seconds": step["seconds"], f"{name} MB above bare": step["memory"] - nothing["memory"]}
            figures |= {key: value for key, value in step.items() if key not in {"seconds", "memory"}}
        figures["index MB"] = sum(path.stat().st_size for path in (folder / "index").iterdir()) / 1e6
        return figures


def _run(name: str, folder: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--step", name, str(folder)]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - this program
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def _step(name: str, folder: Path) -> dict[str, Any]:
    """Do one step and return its seconds and the largest memory of this process."""
    steps: dict[str, Callable[[Path], dict[str, Any]]] = {"build": _build, "open": _open, "extract": _extract}
    if name == "nothing":
        kw.extract(papers.abstracts(1)[1][0])  # models in memory
    start = time.process_time()
    values = steps[name](folder) if name in steps else {}
    seconds = time.process_time() - start
    return {"seconds": seconds, **values, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEGABYTE}


def _build(folder: Path) -> dict[str, Any]:
    card = kw.build_vocabulary(folder / "thesaurus.ttl", folder / "index").card
    return {"labels": card["labels"], "ambiguous keys (en)": card["ambiguous"]["en"]}


def _open(folder: Path) -> dict[str, Any]:
    start = time.process_time()
    kw.load_vocabulary(folder / "index")
    first = time.process_time() - start
    start = time.process_time()
    kw.load_vocabulary(folder / "index")
    return {"open, imports included, seconds": first, "open again, seconds": time.process_time() - start}


def _extract(folder: Path) -> dict[str, Any]:
    documents = papers.abstracts(_ABSTRACTS)[1]
    values = {}
    for name, options in {"without": {}, "with": {"vocabulary": kw.load_vocabulary(folder / "index")}}.items():
        extraction = kw.prepare(language="en", **options)  # type: ignore[arg-type]  # one keyword
        for document in documents:  # words of the collection are new only once
            extraction.prediction(document)
        start = time.process_time()
        for document in documents:
            extraction.prediction(document)
        spent = time.process_time() - start
        values[f"abstract, ms {name} vocabulary"] = 1_000 * spent / len(documents)
        values[f"abstracts per second {name} vocabulary"] = len(documents) / spent
    return values


def _write(path: Path, size: int) -> None:
    """Write a thesaurus in Turtle."""
    texts = (document.text.lower() for document in papers.abstracts(_ABSTRACTS)[1])
    words = sorted({word for text in texts for word in text.split() if word.isalpha()})
    rng = random.Random(_SEED)  # noqa: S311 - nothing secret

    def label() -> str:
        return " ".join(rng.choices(words, k=rng.choice((1, 2, 2, 3, 3, 4))))

    with path.open("w", encoding="utf-8") as file:
        file.write("@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n")
        for number in range(size):
            file.write(
                f'<urn:ex:{number}> a s:Concept ; s:prefLabel "{label()}"@en, "{label()}"@fi ;'
                f' s:altLabel "{label()}"@en ; s:notation "{number}" ; s:inScheme <urn:ex:all> ;'
                f" s:broader <urn:ex:{number // 10}> .\n"
            )


if __name__ == "__main__":
    main()
