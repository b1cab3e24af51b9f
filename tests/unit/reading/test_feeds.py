"""Feeds: each entry is a document with all its sentences; summaries that repeat it, dates and links are no text."""

import itertools
import json
from html import escape

import pytest

from keywright.core.documents import Document
from keywright.core.errors import BrokenFile
from keywright.core.predictions import Failure
from keywright.reading.formats import BY_NAME, format_of
from keywright.reading.limits import Limits

SENTENCES = [
    "The tide gauge drifts by four millimetres.",
    "Nobody had cleaned the well for years.",
    "Salt & mud had closed the pipe.",
    "A diver opened it in March.",
]
HTML = f"<h2>Gauge</h2><p>{escape(SENTENCES[0])} <b>{SENTENCES[1]}</b></p><ul><li>{escape(SENTENCES[2])}</li></ul>"
HTML += f"<script>var a;</script><div>{SENTENCES[3]}</div>"
PLAIN = "\n\n".join(SENTENCES)
CDATA = f"<![CDATA[{HTML}]]>"
NAMES = (
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
)
ITEMS = {
    "escaped": f"<description>{escape(HTML)}</description>",
    "CDATA": f"<description>{CDATA}</description>",
    "plain": f"<description>{escape(PLAIN)}</description>",
    "whole text beside a summary": f"<description>{SENTENCES[0][:30]} [&amp;#8230;]</description>"
    f"<content:encoded>{CDATA}</content:encoded>",
    "summary of its own": f"<description>{SENTENCES[0]}</description><content:encoded><![CDATA["
    f"<p>{SENTENCES[1]}</p><p>{escape(SENTENCES[2])}</p>{SENTENCES[3]}]]></content:encoded>",
    "pictures with texts": f"<media:group><media:title>Dam</media:title><media:description>{escape(PLAIN)}"
    "</media:description></media:group>",
    "podcast": f"<itunes:summary>{CDATA}</itunes:summary>",
    "element of another kind": f"<x:note xmlns:x='urn:x'>{escape(PLAIN)}</x:note>",
}
ATOM = {
    "html": f'<content type="html">{escape(HTML)}</content>',
    "xhtml": f'<content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:p>{SENTENCES[0]}</h:p>'
    f"<h:p>{SENTENCES[1]} <h:i>{escape(SENTENCES[2])}</h:i></h:p>{SENTENCES[3]}</h:div></content>",
    "text": f"<summary>{escape(PLAIN)}</summary>",
}
HEAD = "<title>Gauges</title><link>https://example.org/a</link><guid>tag:a,1</guid>"


def rss(item: str) -> str:
    entries = "".join(f"<item>{HEAD}<pubDate>Mon, 06 Sep 2021 00:01:00 GMT</pubDate>{item}</item>" for _ in "ab")
    return f'<?xml version="1.0"?><rss version="2.0" {NAMES}><channel><title>News</title>{entries}</channel></rss>'


def rdf(item: str) -> str:
    items = f"<item><title>Gauges</title>{item}</item>" * 2
    name = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
    return f"<rdf:RDF {name} {NAMES}><channel><title>News</title></channel>{items}</rdf:RDF>"


def atom(content: str) -> str:
    entry = f"<entry><title>Gauges</title><updated>2021-09-06T00:01:00Z</updated>{content}</entry>"
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>{entry * 2}</feed>'


CASES = {
    **{f"RSS {name}": rss(item) for name, item in ITEMS.items()},
    **{f"RDF {name}": rdf(item) for name, item in ITEMS.items()},
    **{f"Atom {name}": atom(content) for name, content in ATOM.items()},
}


JSON_ITEMS = {
    "html": {"content_html": HTML},
    "text": {"content_text": PLAIN, "tags": None, "image": "https://example.org/a.png"},
    "both beside a summary": {"summary": SENTENCES[0], "content_html": HTML, "content_text": PLAIN},
}


def write_json(*items: object, **fields: object) -> str:
    version = "https://jsonfeed.org/version/1.1"
    return json.dumps({"version": version, "title": "News", "items": items, **fields}, indent=2)


def read(text: str | bytes, name: str = "news.xml") -> list[Document | Failure]:
    data = text.encode() if isinstance(text, str) else text
    assert format_of(data, name) is BY_NAME["feed"]
    return list(BY_NAME["feed"].read(data, name, Limits()))


def words_of(document: Document | Failure) -> str:
    assert isinstance(document, Document)
    return " ".join(document.text.split())


@pytest.mark.parametrize("case", [*CASES, *JSON_ITEMS])
def test_each_sentence_of_each_entry_is_read_once(case: str):
    entry = {"id": "tag:a", "url": "https://example.org", "title": "Gauges", **JSON_ITEMS.get(case, {})}
    documents = read(CASES.get(case) or write_json(entry, entry), "news.json" if case in JSON_ITEMS else "news.xml")
    assert len(documents) == 2
    for document in documents:
        words = words_of(document)
        assert words.startswith("Gauges ")
        assert [words.count(sentence) for sentence in SENTENCES] == [1] * 4
        for no_text in ("<", "https:", "tag:a", "2021", "var a", "News", "…"):
            assert no_text not in words


@pytest.mark.parametrize("case", CASES)
def test_what_is_cut_off_or_damaged_costs_itself_only(case: str):
    """At any place where the file ends, the documents have the beginning of the text, and a warning says so."""
    text = CASES[case]
    whole = [words_of(document) for document in read(text)]
    for end in range(text.index("Gauges") + 60, len(text) - 20, 97):
        try:
            documents = read(text[:end])
        except BrokenFile:
            assert end < text.index("Gauges") + 400
            continue
        for document, expected in itertools.zip_longest(documents, whole[: len(documents)]):
            assert isinstance(document, Document)
            assert "not well-formed" in document.warnings[0]
            missing = [each for each in SENTENCES if each not in words_of(document) and each in expected]
            assert not missing or document is documents[-1]


@pytest.mark.parametrize(
    "text",
    ["Fish & chips are salted.", "Prices rise&nbsp;by 4 %.", "It&hellip; rains here a lot.", "A \x0bbell rings here."],
)
def test_signs_that_are_not_well_formed_are_read(text: str):
    documents = read(rss(f"<description>{text} {SENTENCES[0]}</description>"))
    shown = text.replace("&nbsp;", " ").replace("&hellip;", "…").replace("\x0b", "")
    assert [words_of(document) for document in documents] == [f"Gauges {shown} {SENTENCES[0]}"] * 2


def test_what_an_entry_states():
    item = "<dc:creator>Ana Silva</dc:creator><category>tide gauges</category><category>wells</category>"
    document, _ = read(rss(f"{item}<description>{PLAIN[:40]}</description>"))
    assert isinstance(document, Document)
    assert document.id == "news.xml:1"
    expected = {"title": "Gauges", "authors": ["Ana Silva"], "year": 2021, "author_keywords": ["tide gauges", "wells"]}
    assert document.meta == expected


def test_what_an_entry_of_json_states():
    people, tags = [{"name": "Ana Silva"}, {"url": "https://example.org"}, "Bo Li"], ["tide gauges", 7, "wells"]
    fields = {"content_text": "Salz < \ud800 Schlamm.", "date_published": "2021-09-06T00:01:00Z"}
    text = write_json({"title": "Pegel", "authors": people, "tags": tags, **fields}, language="de-AT")
    (document,) = read(text, "export.json")
    assert isinstance(document, Document)
    assert (document.language, words_of(document)) == ("de", "Pegel Salz < ? Schlamm.")
    expected = {
        "title": "Pegel",
        "authors": ["Ana Silva", "Bo Li"],
        "year": 2021,
        "author_keywords": ["tide gauges", "wells"],
    }
    assert document.meta == expected


def test_a_feed_of_json_that_states_no_language():
    (document,) = read(write_json({"content_text": "Salt."}, language=None))
    assert isinstance(document, Document)
    assert document.language is None


@pytest.mark.parametrize("items", [None, [], {"a": 1}])
def test_a_feed_of_json_without_entries_is_broken(items: object):
    with pytest.raises(BrokenFile, match="has no entries"):
        read(write_json(items=items))
    with pytest.raises(BrokenFile, match="not valid JSON"):
        read(write_json({"title": "Gauges"})[:-9])


def test_an_entry_that_is_no_object_costs_itself_only():
    broken, document = read(write_json("salt", {"content_text": SENTENCES[0]}))
    assert isinstance(broken, Failure)
    assert words_of(document) == SENTENCES[0]


def test_a_record_that_quotes_a_feed_of_json_is_a_record():
    record = json.dumps({"id": "a", "text": write_json({"title": "Gauges"})})
    assert format_of(record.encode(), "") is BY_NAME["jsonl"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("<rss><channel><language>de-at</language><item><title>Salz</title></item></channel></rss>", "de"),
        ("<feed xml:lang='fr'><entry><title>Le sel</title></entry></feed>", "fr"),
        ("<feed xml:lang='fr'><entry xml:lang='es'><title>La sal</title></entry></feed>", "es"),
        ("<rss><channel><item><title>Salt</title></item></channel></rss>", None),
    ],
)
def test_languages_that_feeds_and_entries_state(text: str, language: str | None):
    (document,) = read(text)
    assert isinstance(document, Document)
    assert document.language == language


def test_an_older_encoding_that_is_labelled_wrongly():
    (document,) = read("<rss><channel><item><title>Wärme über alles</title></item></channel></rss>".encode("cp1252"))
    assert words_of(document) == "Wärme über alles"


def test_an_outline_is_one_document():
    inner = f"<outline text='{escape(SENTENCES[0])}' _note='&lt;p&gt;{SENTENCES[1]}&lt;/p&gt;'/>"
    feeds = f"<outline text='Wells' type='rss' xmlUrl='https://example.org' description='{escape(SENTENCES[2])}'/>"
    text = f"<opml><head><title>Plan</title></head><body><outline text='Gauges'>{inner}{feeds}</outline></body></opml>"
    (document,) = read(text, "plan.opml")
    assert words_of(document) == f"Plan Gauges {' '.join(SENTENCES[:2])} Wells {SENTENCES[2]}"


@pytest.mark.parametrize("text", ["<rss/>", "<feed"])
def test_a_feed_without_entries_is_broken(text: str):
    with pytest.raises(BrokenFile):
        list(BY_NAME["feed"].read(text.encode(), "a.rss", Limits()))
