"""Titles of bare texts: below banners, above names, joined over lines, or none."""

import json
from pathlib import Path

import pytest

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.reading.bare_text.sections import find_sections

TITLES = Path(__file__).parents[1] / "hand_checked_titles.jsonl"
PROSE = (
    "We show that tides move sand along the coast, and that the height of dunes follows from the wind of the last "
    "winter. It is not known which of these has been the stronger one, and we can only say that both are needed.\n"
)
BODY = "\n".join(f"{PROSE}\nThe dunes of the coast are moved by wind, and tides are not.\n" for _ in range(15))


def sections(text: str) -> Document:
    return Document("text", text, find_sections(text))


@pytest.mark.parametrize(
    "banner",
    [
        "Coastal Letters 12; Article number 7; doi:10.1234/coast.77\n\n",
        "Vol 12 | 3 March 2004 | doi:10.1234/coast77\n\nLETTERS\n",
        "Journal of Dunes and Tides\n\nhttp://dunes.example.org\n\nDownloaded from http://dunes.example.org\n\n",
        "Downloaded from dunes.example.org on 7 May 2008\n\nREPORTS\n",
        "J Dun Tid\nJournal of Dunes and Tides\n0123-4567\n1234-5678\nA Publisher\nBerlin\n\nOriginal Paper\n\n",
    ],
)
def test_the_title_is_below_the_banner(banner: str):
    names = "Ana B. Costa1,2 and Li Wei2*\n1 University of X\n\n"
    document = sections(f"{banner}Tides and wind move the dunes\n{names}{BODY}")
    assert document.section(Kind.TITLE) == "Tides and wind move the dunes"
    notices = [document.text[part.start : part.end] for part in document.sections if part.kind == Kind.NOTICE]
    assert " ".join(" ".join(notices).split()) == " ".join(banner.split())
    assert (document.section(Kind.AUTHORS) or "").startswith("Ana B. Costa1,2 and Li Wei2*")


def test_names_and_prose_on_one_line():
    names = "Ana Costa and Li Wei* "
    document = sections(f"Downloaded from dunes.example on 7 May\n\nTides and wind move the dunes\n{names}{BODY}")
    assert document.section(Kind.TITLE) == "Tides and wind move the dunes"


def test_a_title_of_several_lines_ends_above_the_names():
    title = "Tides, wind and the height of\ndunes on the coast"
    document = sections(f"{title}\nAna Costa, Li Wei and J. Roy\nA University\n\nAbstract\n{BODY}")
    assert document.section(Kind.TITLE) == title


def test_a_title_in_capitals_may_look_like_names():
    text = f"Dunes and Tides\nMarko Novak\nmarko@coast.example\n\nAbstract\n{BODY}"
    assert sections(text).section(Kind.TITLE) == "Dunes and Tides"


@pytest.mark.parametrize(
    "text",
    [
        f"Downloaded from dunes.example on 7 May 2008\n\n{BODY}",
        BODY,
        "Dear Ana,\nthe keys are with Li Wei and Jo Roy.\nSee www.example.org for the map.\nBest wishes, Mo\n",
        "Vol. 7, No. 3\nMarch 2004\n" + "one two three four five six seven eight\n" * 4,
    ],
)
def test_rather_no_title_than_a_wrong_one(text: str):
    assert sections(text).section(Kind.TITLE) is None


def test_everyday_texts_keep_their_titles():
    """Short texts with a first line that is their title, and a text without."""
    for line in (Path(__file__).parents[4] / "studies/everyday/open.jsonl").read_text("utf-8").splitlines():
        text = json.loads(line)["text"]
        first, gap, _ = text.partition("\n\n")
        found = find_sections(text)
        assert [text[section.start : section.end] for section in found] == ([first] if gap else [])


@pytest.mark.data
def test_titles_that_a_person_marked(mirror: Path):
    """Papers and reports as extracted from PDF files; at least this share of the titles was right when last counted."""
    from keywright.core.zstandard import zstd  # noqa: PLC0415 - only where the data are

    truths = [json.loads(line) for line in TITLES.read_text("utf-8").splitlines()]
    texts = {}
    for file in {truth["file"] for truth in truths}:
        data = zstd.decompress((mirror / file).read_bytes()).decode("utf-8")
        texts |= {(file, record["id"]): record["text"] for record in map(json.loads, data.split("\n")[:-1])}
    right = [truth["title"] == title_of(texts[truth["file"], truth["id"]]) for truth in truths]
    assert sum(right) >= SHARE * len(right)


SHARE = 0.9


def title_of(text: str) -> str | None:
    title = sections(text).section(Kind.TITLE)
    return " ".join(title.split()) if title else None


STORY = (
    "The ferry to the island sails at night as well. Many people who work there asked for it last winter.\n\n"
    "The council votes on Tuesday, and most of its members are in favour of it."
)
WRAPPED = (
    "The ferry to the island sails at night as well. Many people who\nwork there asked for it last winter, and the "
    "council\nvotes on Tuesday. Most of its members are in favour of it."
)
FORMS = {
    "a blank line": "{title}\n\n{text}",
    "three blank lines": "{title}\n\n\n\n{text}",
    "blank lines above": "\n\n{title}\n\n{text}",
    "no blank line": "{title}\n{text}",
    "a date above": "Wednesday, May 30, 2007\n\n{title}\n\n{text}",
    "a date right above": "2007-05-30\n{title}\n\n{text}",
    "a German date above": "Mittwoch, 30. Mai 2007\n\n{title}\n\n{text}",
    "a date below": "{title}\n\n30 May 2007\n\n{text}",
    "a name below": "{title}\n\nBy Ilse Marten\n\n{text}",
    "a line of signs": "{title}\n=====\n\n{text}",
    "a number above": "PEP: 505\n\n{title}\n\n{text}",
    "a header": "PEP: 505\nTitle: {title}\nAuthor: A. Smith\nLast-Modified: 30 May\n\n{text}",
    "a header of two fields": "Titel: {title}\nDatum: 30. Mai\n\n{text}",
    "a mail": "Von: Ilse\nAn: Jo\nBetreff: AW: {title}\n\n{text}",
    "a section below": "{title}\n\nOverview\n\n{text}",
    "an introduction below": "{title}\nIntroduction\n{text}",
}  # fmt: skip
LINES = (
    "A night ferry for the island", "ferries at night", "Why do ferries sail at night?", "Timetables",
    "Ferries: a history", "Ferry, Denmark, 2007",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("text", [STORY, WRAPPED], ids=["lines are paragraphs", "lines are wrapped"])
@pytest.mark.parametrize("title", LINES)
def test_a_first_line_that_is_a_title_is_found_in_each_form(form: str, text: str, title: str):
    assert sections(form.format(title=title, text=text)).section(Kind.TITLE) == title


@pytest.mark.parametrize(
    "text",
    [
        STORY, WRAPPED, f"30 May 2007\n\n{STORY}", f"Dear all,\n\n{STORY}", f"Hello Ana!\n\n{STORY}", f"Hi\n\n{STORY}",
        "Roses are red,\nViolets are blue,\nSugar is sweet.", "Milk\nButter biscuits\nEggs and bacon\nBread",
        "Superlight SteelSeries Aerox\nLogitech Superlight\nRazer Viper Mini", f"Introduction\n\n{STORY}",
        f"https://example.org\n\n{STORY}", f"- one item\n\n{STORY}", f"1. One step\n\n{STORY}", "Only one line",
        f"The ferry sails.\n\n{STORY}", f"{'=' * 9}\n\n{STORY}", f"© 2007 Ferries\n\n{STORY}",
        f"(Applause)\n\n{STORY}", f"[Music]\n{STORY}", "Ana: How is it?\n\nJo: It is fine.\n\nAna: Good to know.",
    ],
)  # fmt: skip
def test_other_first_lines_are_no_titles(text: str):
    assert sections(text).section(Kind.TITLE) is None


def test_titles_in_chinese_and_japanese_are_found():
    for title, text in (
        ("储能电池研究", "储能电池系统的研究很重要。它的能量密度高。"),
        ("電池の研究", "電池の研究は大切です。"),
    ):
        for gap in ("\n\n", "\n\n\n\n", "\n"):
            assert sections(f"{title}{gap}{text}").section(Kind.TITLE) == title


def test_captions_among_names_leave_sections_in_order():
    front = "Tides and wind move the dunes\n\nAna Costa and Li Wei\n\nTable 1. The dunes of the coast, by height.\n\n"
    parts = find_sections(f"{front}Jo Roy and Mo Li\n\nAbstract\n{BODY}")
    assert list(parts) == sorted(parts, key=lambda part: part.start)


WRAPPED = (
    "The dunes of the coast are moved by\nwind, and tides are not seen there at\nall by most people. It is not known "
    "why\nthis has never been looked at before.\n"
)


@pytest.mark.parametrize(
    ("title", "below"),
    [
        ("How dunes are moved along a coast with more wind than rain", WRAPPED),  # wider than the text
        ("Dunes of the coast", "Where they come from\n\n" + PROSE),  # above a heading
        ("dune-mirror", "import Tabs from '@theme/Tabs';\nimport Item from '@theme/Item';\n\nDescription\n\n" + PROSE),
        ("Dunes", "TOC\n{:toc}\n\nThe wind\n\n" + PROSE),
        ("Dune cake", "Prep time: 15 min\nCook time: 50 min\nServings: 6\n\nIngredients\n\n600 g sand\n1 egg\n"),
        ("Dune 2.0 released", "砂丘ライブラリDune 2.0がリリース。\n風と潮のモデルが新しくなった。\n"),
        (
            "Advanced Aspects of the Coastal Dune Ecosystem",  # long words with capitals, as prose rarely has
            "Dunes benefit from a thriving coast. This page will take\na deep look at the wind and at all plants.\n",
        ),
        (
            "Dune cake",  # numbered steps without names above are no paper
            "A cake.\n\n1 egg\n\n600 g of sand\n\n1. Heat the oven to 190 degrees\n\n2. Put the sand into it\n",
        ),
        ("砂丘の種類と作り方のまとめ", "風と潮が作る砂の山について、海岸の保全に役立つことをここに並べてみた。\n"),
        (
            "What is a dune?",
            "dunes are hills of loose sand that the wind of the last winter has built along a coast.\n",
        ),
    ],
)
def test_a_title_right_above_a_text(title: str, below: str):
    assert sections(f"{title}\n{below}").section(Kind.TITLE) == title


@pytest.mark.parametrize(
    "text",
    [
        WRAPPED,
        WRAPPED + WRAPPED,
        "The dunes are full of\nAna's friends and of the sand that\nthey brought. It is warm, and\nnobody is.\n",
    ],
)
def test_the_first_line_of_wrapped_prose_is_no_title(text: str):
    assert sections(text).section(Kind.TITLE) is None


@pytest.mark.parametrize(
    "line", ["FOR IMMEDIATE RELEASE", "Press Release", "Pressemitteilung", "Embargoed until 3 May"]
)
def test_the_title_of_a_press_release_is_below_its_first_line(line: str):
    assert sections(f"{line}\n\nTides and wind move the dunes\n\n{PROSE}").section(Kind.TITLE) == (
        "Tides and wind move the dunes"
    )
