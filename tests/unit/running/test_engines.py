"""Executors by name, also where Ray is not installed, and what is found out before a run starts."""

import sys

import pytest

from keywright.core.candidates import Ranking
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, MissingExtra, NeedsUnmet, NotFitted, UnknownName
from keywright.core.keyphrases import Keyphrase
from keywright.running.engines import Serial, engine
from keywright.running.extraction import Extraction, check_ready
from keywright.running.pool import Processes
from keywright.text.analyser import TextAnalyser


class Counted:
    """Gives w0 w1 w2 ... as long as asked for, and stands by some of them."""

    name = "counted"
    needs = frozenset({"stems"})

    def __init__(self, chosen: int | None) -> None:
        self.chosen = chosen

    def extract(self, document):
        return Ranking.from_keyphrases(document.source, [Keyphrase(f"w{n}", -n) for n in range(50)], chosen=self.chosen)


class Unready(Counted):
    needs = frozenset({"tags"})


class Untrained(Counted):
    def extract(self, *_arguments: object):
        raise NotFitted("never trained")


@pytest.mark.parametrize(
    ("name", "jobs", "made"),
    [
        (None, None, Serial),
        (None, 1, Serial),
        ("serial", None, Serial),
        (None, 3, Processes(3)),
        ("processes", None, Processes(2)),
        ("processes", 1, Processes(1)),
    ],
)
def test_engines_by_name(name, jobs, made):
    found = engine(name, jobs)
    assert isinstance(found, made) if isinstance(made, type) else found == made


def test_bad_engines():
    with pytest.raises(UnknownName, match="did you mean 'serial'"):
        engine("seriell")
    with pytest.raises(BadParameter, match="0 jobs"):
        engine(None, 0)
    with pytest.raises(BadParameter, match="3 jobs in series"):
        engine("serial", 3)


@pytest.mark.parametrize(
    ("chosen", "top", "length"),
    [
        (None, None, 10),
        (None, 3, 3),
        (4, None, 10),
        (4, 20, 20),
        (4, 2, 2),
        (None, "auto", 10),
        (4, "auto", 4),
        (0, "auto", 0),
        (17, "auto", 17),
    ],
)
def test_how_long_a_list_is(chosen, top, length):
    prediction = Extraction(TextAnalyser(), Counted(chosen), top).prediction(Document("d", "text"))
    assert prediction.texts == tuple(f"w{n}" for n in range(length))


def test_what_cannot_run_is_found_out_before_it_runs():
    check_ready(Extraction(TextAnalyser(), Counted(None)))
    with pytest.raises(NeedsUnmet, match="counted needs tags"):
        check_ready(Extraction(TextAnalyser(), Unready(None)))
    with pytest.raises(NotFitted):
        check_ready(Extraction(TextAnalyser(), Untrained(None)))


class Unpacked(Counted):
    def extract(self, *_arguments: object):
        raise MissingExtra("this needs a package")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_missing_package_ends_a_run_as_no_document_is_at_fault(jobs):
    work = Extraction(TextAnalyser(), Unpacked(None))
    with pytest.raises(MissingExtra, match="this needs a package"):
        list(engine(None, jobs).map(work, [Document("a", "Text."), Document("b", "More.")]))


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)  # as if not installed
    with pytest.raises(MissingExtra, match="needs the package ray") as caught:
        engine("ray")
    assert "[scale]" in caught.value.hint


def test_a_number_of_jobs_is_checked_first(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadParameter, match="0 jobs"):
        engine("ray", 0)
