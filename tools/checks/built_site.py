"""Check the built documentation for what its generator lets pass: run after `zensical build`, prints what is wrong.

    python -m tools.checks.built_site [FOLDER]

A link or picture that leads nowhere, a picture, script or style sheet of another host, and Markdown that was not
understood (a table or a fence shown as text) are errors.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

ROOT = Path(__file__).parents[2]

ADDRESS = {"a": "href", "img": "src", "script": "src", "link": "href"}
LOADED = {"img", "script"}
RELATIONS = {"stylesheet", "icon", "preload", "modulepreload"}
"""Kinds of ``link`` elements whose files a browser loads."""
UNREAD = ("|---", "| ---", "```")
"""Beginnings and parts of Markdown that stay in a paragraph if a table or a fence is not recognised."""


@cache
def tree(page: Path) -> html.HtmlElement:
    """Return a page of the site, parsed."""
    return html.document_fromstring(page.read_bytes())


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the ids that links to a page may name."""
    return frozenset(tree(page).xpath("//@id")) | {""}


def _loads(element: html.HtmlElement) -> bool:
    return element.tag in LOADED or bool(RELATIONS & set(str(element.get("rel", "")).split()))


def problems(page: Path, root: Path) -> Iterator[str]:
    """Yield what is wrong on one page."""
    for element in tree(page).iter(*ADDRESS):
        address = str(element.get(ADDRESS[element.tag], ""))
        parts = urlsplit(address)
        if parts.scheme in {"data", "mailto"} or not address:
            continue
        if parts.scheme or parts.netloc:
            if _loads(element):
                yield f"loads {address}"
            continue
        target = page
        if parts.path:
            folder = root if parts.path.startswith("/") else page.parent
            target = (folder / unquote(parts.path).lstrip("/")).resolve()
        target = target / "index.html" if target.is_dir() else target
        if not target.is_file() or not target.is_relative_to(root):
            yield f"{address} leads nowhere"
        elif target.suffix == ".html" and unquote(parts.fragment) not in anchors(target) and target != page:
            yield f"{address}: the page has no such place"
    for paragraph in tree(page).xpath("//article//p"):
        text = paragraph.text_content()
        if any(mark in text for mark in UNREAD):
            yield f"Markdown shown as text: {text[:60]!r}"


def main() -> None:
    """Print the problems of each page; the status is 1 if there are any."""
    root = Path(sys.argv[1] if sys.argv[1:] else ROOT / "site").resolve()
    pages = [page for page in sorted(root.rglob("*.html")) if page.name != "404.html"]
    wrong = [f"{page.relative_to(root)}: {problem}" for page in pages for problem in problems(page, root)]
    print(*wrong, f"{len(pages)} pages, {len(wrong)} problems", sep="\n")
    sys.exit(bool(wrong) or not pages)


if __name__ == "__main__":
    main()
