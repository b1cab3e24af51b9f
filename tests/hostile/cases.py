"""Cases: a sample, a damage and a number make the same files wherever they are made."""

import contextlib
import random
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.end_to_end.warm_program import Finished, WarmProgram
from tests.hostile.damages import DAMAGES, inside
from tests.hostile.samples import Sample

SECONDS = 20  # longest time of a command
MEMORY = 1_000_000_000  # most bytes of a command's memory
FINE_STATUS = range(5)  # exit statuses that the program documents
DEFECT = "KEYWRIGHT_DEBUG=1"  # hint of an error that keywright does not raise on purpose
MOJIBAKE = ("Ã©", "Ã¶", "Ã¼", "â€")  # UTF-8 read as Windows-1252


class Case(NamedTuple):
    """A damage of a sample; ``number`` steers what is random."""

    sample: str
    damage: str
    number: int

    @property
    def name(self) -> str:
        """Name for people and for the list of kept cases."""
        return f"{self.sample}/{self.damage}/{self.number}"


def cases(samples: Mapping[str, Sample], number: int, seed: int = 1) -> Iterator[Case]:
    """Yield cases, every sample with every damage in turn."""
    rng = random.Random(seed)
    pairs = [(sample, damage) for sample in samples for damage in DAMAGES]
    for place in range(number):
        if not place % len(pairs):
            rng.shuffle(pairs)
        yield Case(*pairs[place % len(pairs)], seed * 1_000_000 + place)


def write(case: Case, sample: Sample, folder: Path) -> Path:
    """Write the files of a case into an emptied folder; return the damaged one."""
    shutil.rmtree(folder, ignore_errors=True)
    rng = random.Random(case.name)
    damaged = rng.choice(sample.damaged)
    for name, content in sample.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    data, damage = sample.files[damaged], DAMAGES[case.damage]
    packed = rng.random() < 0.5 and inside(data, damage, random.Random(case.name))
    (folder / damaged).write_bytes(packed if packed and packed != data else damage(data, rng))
    if sample.reseal and rng.random() < 0.7:
        with contextlib.suppress(Exception):  # files too damaged for that stay as they are
            sample.reseal(folder)
    return folder / damaged


def verdict(finished: Finished) -> str:
    """Return what is wrong with the end of a command; empty if nothing is."""
    output, errors = finished.stdout.decode("utf-8", "replace"), finished.stderr.decode("utf-8", "replace")
    if "Traceback (most recent call last)" in errors or DEFECT in output + errors:
        return "traceback"
    if finished.returncode < 0:
        return "hang" if finished.timed_out else f"killed by signal {-finished.returncode}"
    if finished.returncode not in FINE_STATUS:
        return f"exit status {finished.returncode}"
    if finished.memory > MEMORY:
        return "memory"
    if finished.returncode and not errors.strip():
        return "failed in silence"
    if any(sign in output for sign in MOJIBAKE) and "UTF-8" not in output:
        return "mojibake"
    return ""


def run(case: Case, sample: Sample, folder: Path, program: WarmProgram) -> Finished:
    """Run a case."""
    write(case, sample, folder)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    return program.run(("keywright", *sample.command), b"", str(folder), environment, seconds=SECONDS)
