"""One service for all tests that do not stop or starve it."""

import pytest
from tests.end_to_end.program import keywright
from tests.service.running import CREDENTIAL, ELSEWHERE, running

TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://ex.org/> .
ex:gauge skos:prefLabel "tide gauges"@en, "vedenkorkeusmittarit"@fi ; skos:notation "T1" ; skos:broader ex:sea .
ex:level skos:prefLabel "sea level"@en ; skos:altLabel "level of the sea"@en .
ex:sea skos:prefLabel "oceanography"@en .
"""


@pytest.fixture(scope="session")
def vocabularies(tmp_path_factory):
    """Indexes of concepts in two languages, and of bare labels."""
    folder = tmp_path_factory.mktemp("vocabularies")
    (folder / "tides.ttl").write_text(TURTLE, "utf-8")
    (folder / "labels.txt").write_text("tide gauges\nsea level\n")
    for file, name in (("tides.ttl", "tides"), ("labels.txt", "labels")):
        done = keywright("vocabulary", "build", file, "-o", name, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def service(vocabularies):
    limits = ("--max-bytes", "400000", "--max-chars", "100000", "--timeout", "20")
    indexes = ("--vocabulary", vocabularies / "tides", "--vocabulary", vocabularies / "labels")
    with running("--jobs", "1", *limits, *indexes) as started:
        yield started


@pytest.fixture(scope="session")
def guarded(tmp_path_factory):
    """A service that wants one of two tokens, for pages of another site as well."""
    tokens = tmp_path_factory.mktemp("guarded") / "tokens"
    tokens.write_text(f"# clients\n{CREDENTIAL}\nanother-token-4711-0815\n")
    with running("--jobs", "1", "--cors", ELSEWHERE, "--token-file", tokens) as started:
        yield started


@pytest.fixture
def client(service):
    with service.client() as client:
        yield client
