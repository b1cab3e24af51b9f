"""Check wheel and sdist of a folder before they are released: contents, metadata, README, sizes.

    python -m tools.checks.distribution [FOLDER]     (``make dist`` builds them into dist/ and runs this)

Exits with status 1 and a line for each thing that is wrong; prints names and sizes of what is right.
"""

import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from packaging.metadata import InvalidMetadata, Metadata

from keywright.core import VERSION

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src" / "keywright"
DESCRIBED: Final = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "LICENSE"}
"""Files of a wheel beside the package."""
NEEDED: Final = ("README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "Makefile", "constraints.txt")
"""Files at the top of an sdist, from which the project can be built and tested."""
MOST_MEGABYTES: Final = 85
"""Of the package without its libraries, unpacked; 65 are models."""


def main() -> None:
    """Check the newest files of a folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    wheels, sdists = list(folder.glob("*.whl")), list(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(sdists) != 1:
        sys.exit(f"{folder} holds {len(wheels)} wheels and {len(sdists)} sdists; expected one of each: `make dist`")
    wrong = [*check_wheel(wheels[0]), *check_sdist(sdists[0])]
    if wrong:
        sys.exit("\n".join(wrong))


def check_wheel(path: Path) -> Iterator[str]:
    """Yield what is wrong with a wheel."""
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
        size = sum(member.file_size for member in wheel.infolist()) / 1e6
        metadata = wheel.read(next(name for name in names if name.endswith(".dist-info/METADATA")))
    ours = {
        f"keywright/{file.relative_to(PACKAGE).as_posix()}"
        for file in PACKAGE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    yield from (f"{path.name} lacks {name}" for name in sorted(ours - names))
    others = {name for name in names - ours if Path(name).name not in DESCRIBED}
    yield from (f"{path.name} has {name}, which is no part of the package" for name in sorted(others))
    if size > MOST_MEGABYTES:
        yield f"{path.name} unpacks to {size:.0f} MB, more than {MOST_MEGABYTES}"
    yield from check_metadata(metadata, path.name)
    print(f"{path.name}: {len(names)} files, {path.stat().st_size / 1e6:.1f} MB, {size:.1f} MB unpacked")


def check_metadata(text: bytes, name: str) -> Iterator[str]:
    """Yield what is wrong with the metadata of a distribution, and with its README as an index shows it."""
    try:
        metadata = Metadata.from_email(text, validate=True)
    except InvalidMetadata as error:
        yield f"{name}: {error}"
        return
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    if str(metadata.version) != VERSION or f"## {VERSION} (" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        yield f"{name} is of version {metadata.version}: VERSION and the changelog say otherwise"
    if set(metadata.provides_extra or ()) != set(project["optional-dependencies"]):
        yield f"{name} has other extras than pyproject.toml"
    if not metadata.summary or not metadata.license_expression or not metadata.requires_python:
        yield f"{name} lacks a summary, a licence or a version of Python"
    if (metadata.description_content_type or "").partition(";")[0] != "text/markdown":
        yield f"{name}: the README is not marked as Markdown"
    page = MarkdownIt("gfm-like", {"linkify": False}).render(metadata.description or "")
    if "<h1>keywright</h1>" not in page or page.count("<table>") != (metadata.description or "").count("\n|---"):
        yield f"{name}: the README does not become the page that it should be"


def check_sdist(path: Path) -> Iterator[str]:
    """Yield what is wrong with an sdist."""
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    yield from (f"{path.name} lacks {name}" for name in NEEDED if name not in names)
    for folder in ("src/keywright", "tests", "docs", "examples"):
        if not any(name.startswith(f"{folder}/") for name in names):
            yield f"{path.name} lacks the folder {folder}"
    hidden = {name for name in names if "__pycache__" in name or name.startswith((".venv", "build/", "dist/", "site/"))}
    yield from (f"{path.name} has {name}" for name in sorted(hidden))
    print(f"{path.name}: {len(names)} files, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
