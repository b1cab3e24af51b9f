"""Every system of the catalogue keeps every promise."""

import atexit
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from tests.model_server import serve_model
from tests.quick_generators import save_quick_generator
from tests.unit.extraction.candidates.tagging import tagged

from keywright.catalogue import GENERATORS, SYSTEMS
from keywright.core import saving
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import NotFitted
from keywright.core.interfaces import Analyser, Extractor
from keywright.core.saving import save_system
from keywright.neural.systems.generator_system import load_system
from keywright.testing.extractors import EXTRACTOR_PROMISES, Promise, Subject, check_trainable
from keywright.testing.promises import LABELLED, equal
from keywright.text.languages import ByLanguage

LEARNING = [name for name in SYSTEMS.built_in if hasattr(SYSTEMS.find(name), "fit")]


@dataclass(frozen=True)
class Remembering:
    """Analyses each text once: all systems are asked about the same documents and phrases, and tagging is slow."""

    inner: Analyser
    analysed: dict[tuple[object, ...], AnalysedDocument] = field(default_factory=dict)

    def analyse(self, document: Document) -> AnalysedDocument:
        key = (document.id, document.text, document.sections, document.language)
        if key not in self.analysed:
            self.analysed[key] = self.inner.analyse(document)
        return self.analysed[key]


# Tags are English: documents of other languages get some all the same, so that any text is tried.
PLAIN, TAGGED = Remembering(ByLanguage()), Remembering(ByLanguage("en", tagged=True))


@cache
def subject(name: str, *, trained: bool) -> Subject:
    """A system as it comes, or fitted on the two labelled samples."""
    if name in GENERATORS:
        return Subject(generator(name), PLAIN)
    system = language_model() if name == "llm" else SYSTEMS.find(name)()
    analyser = TAGGED if "tags" in system.needs else PLAIN
    return Subject(check_trainable(system, analyser) if trained else system, analyser)


@cache
def generator(name: str) -> Extractor:
    """Return a generator that has read the labelled samples; its lists are odd."""
    folder = Path(tempfile.mkdtemp(prefix="keywright-generator-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    save_quick_generator(name, LABELLED, folder)
    return load_system(folder)


@cache
def language_model() -> Extractor:
    """Return a system that asks a server on loopback, which runs until the tests end."""
    server = ExitStack()
    atexit.register(server.close)
    return SYSTEMS.find("llm")(url=server.enter_context(serve_model()).url, model="stub", cache="none")


def works_untrained(name: str) -> bool:
    """Return whether a system extracts as it comes; asked for every system before the first test, so of three words."""
    try:
        if name != "llm":
            SYSTEMS.find(name)().extract(tagged("noise/NN map/NN ./."))
    except NotFitted:
        return False
    return True


READY = [
    *[(name, False) for name in SYSTEMS.built_in if works_untrained(name)],
    *[(name, True) for name in (*LEARNING, *GENERATORS)],
]


@pytest.mark.parametrize("promise", EXTRACTOR_PROMISES, ids=lambda each: each.__name__)
@pytest.mark.parametrize(("name", "trained"), READY, ids=[name + "-trained" * trained for name, trained in READY])
def test_system_keeps_its_promise(name: str, *, trained: bool, promise: Promise) -> None:
    promise(subject(name, trained=trained))


def test_every_system_was_tested() -> None:
    assert {name for name, _ in READY} == set(SYSTEMS.built_in)


@pytest.mark.parametrize("name", [name for name in SYSTEMS.built_in if (name, False) not in READY])
def test_an_untrained_system_says_how_to_train_it(name: str) -> None:
    if name in GENERATORS:
        return
    system, document = SYSTEMS.find(name)(), tagged("noise/NN map/NN ./.")
    with pytest.raises(NotFitted, match=f"the system {name} has not been trained") as caught:
        system.extract(document)
    assert f"keywright train {name}" in (caught.value.hint or "")
    if hasattr(system, "collection"):
        with pytest.raises(NotFitted):
            system.features(system.candidates(document), document)


@pytest.mark.parametrize("name", [name for name in LEARNING if name not in GENERATORS])
def test_a_trained_system_comes_back_from_its_folder(name: str, tmp_path: Path) -> None:
    trained = subject(name, trained=True)
    save_system(trained.extractor, tmp_path / "system", {})
    loaded = saving.load_system(tmp_path / "system")
    for example in LABELLED:
        document = trained.analyser.analyse(example.document)
        before, after = (each.extract(document).prediction(explain=True) for each in (trained.extractor, loaded))
        assert equal(after, before)


@pytest.mark.parametrize("name", SYSTEMS.built_in)
def test_the_catalogue_calls_a_system_as_it_calls_itself(name: str) -> None:
    assert SYSTEMS.find(name).name == name
