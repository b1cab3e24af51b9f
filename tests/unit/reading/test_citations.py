"""Title, authors, DOI, journal and year in ``meta``: where each format keeps them, and only what is there."""

import io
import json

import docx
import pytest
from tests.house.tree import ROOT
from tests.unit.reading import small_pdf

from keywright.core.errors import BrokenFile
from keywright.reading.formats.docx import read_docx
from keywright.reading.formats.html import read_html
from keywright.reading.formats.jats import read_jats
from keywright.reading.formats.jsonl import read_jsonl
from keywright.reading.formats.markdown import read_markdown
from keywright.reading.formats.pdf import read_pdf
from keywright.reading.formats.tei import read_tei
from keywright.reading.limits import Limits

LIMITS = Limits()
KEYS = ("title", "authors", "doi", "journal", "year")
BODY = "<body><p>Tide gauges measure sea level.</p></body>"
TEXT = small_pdf.text(50, 400, "A plain sentence about rain gardens.")


def cited(document):
    return {key: document.meta[key] for key in KEYS if key in document.meta}


def jats(front):
    return cited(read_jats(f"<article><front>{front}</front>{BODY}</article>".encode(), "a.xml", LIMITS))


def test_the_example_in_jats():
    document = read_jats((ROOT / "examples" / "article.jats.xml").read_bytes(), "a.xml", LIMITS)
    assert cited(document) == {
        "title": "Acoustic Monitoring of Urban Songbirds with Low-Cost Recorders",
        "authors": ["Ferreira, Ana", "Novak, Petr"],
        "doi": "10.5555/songbirds_40",
        "journal": "Journal of Urban Ecology & Sound",
        "year": 2019,
    }


def test_names_of_contributors_in_jats():
    front = (
        "<article-meta><article-id pub-id-type='pmid'>7</article-id><title-group><article-title>Tides</article-title>"
        "<subtitle>A <italic>survey</italic></subtitle></title-group><contrib-group>"
        "<contrib contrib-type='author'><name-alternatives><name><surname>Lima</surname>"
        "<given-names>Rui P.</given-names></name></name-alternatives></contrib><contrib>"
        "<collab>Tide Group, The<contrib-group><contrib><name>"
        "<surname>Poe</surname></name></contrib></contrib-group></collab></contrib>"
        "<contrib contrib-type='author'><string-name>Madonna</string-name></contrib>"
        "<contrib contrib-type='editor'><name><surname>Nobody</surname></name></contrib></contrib-group>"
        "<pub-date date-type='pub' publication-format='electronic'><year>2017</year></pub-date>"
        "<pub-date date-type='pub' publication-format='print'><year>2018</year></pub-date></article-meta>"
    )
    assert jats(front) == {
        "title": "Tides: A survey",
        "authors": ["Lima, Rui P.", {"name": "Tide Group, The"}, "Madonna"],
        "year": 2018,
    }


@pytest.mark.parametrize("front", ["", "<article-meta/>", "<journal-meta/><article-meta><pub-date/></article-meta>"])
def test_nothing_is_made_up(front):
    assert jats(front) == {}


def test_the_header_of_tei():
    header = (
        "<fileDesc><titleStmt><title>Tides</title></titleStmt><sourceDesc><biblStruct><analytic><author><persName>"
        "<forename type='first'>Ana</forename><forename type='middle'>P</forename><surname>Reis</surname></persName>"
        "</author><author><orgName>Tide Group</orgName></author></analytic><monogr><title level='j'>Seas</title>"
        "<imprint><date type='published' when='2011-03-02'>March</date></imprint></monogr>"
        "<idno type='DOI'>10.5555/tides</idno></biblStruct></sourceDesc></fileDesc>"
    )
    data = f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader>{header}</teiHeader><text>{BODY}</text></TEI>"
    assert cited(read_tei(data.encode(), "a.xml", LIMITS)) == {
        "title": "Tides",
        "authors": ["Reis, Ana P", "Tide Group"],
        "doi": "10.5555/tides",
        "journal": "Seas",
        "year": 2011,
    }


def test_authors_of_the_title_in_tei_where_no_source_is_described():
    header = "<fileDesc><titleStmt><title>Tides</title><author>Ana Reis</author></titleStmt></fileDesc>"
    data = f"<TEI><teiHeader>{header}</teiHeader><text>{BODY}</text></TEI>"
    assert cited(read_tei(data.encode(), "a.xml", LIMITS)) == {"title": "Tides", "authors": ["Ana Reis"]}


@pytest.mark.parametrize(
    ("styled", "authors"), [((), ["Reis, Ana", "Poe, Li"]), (("Ana Reis", "Li Poe"), ["Ana Reis", "Li Poe"])]
)
def test_properties_and_styles_of_word(styled, authors):
    file = docx.Document()
    file.core_properties.title, file.core_properties.author = "Tides", "Reis, Ana; Poe, Li"
    file.styles.add_style("Author", 1)
    for name in styled:
        file.add_paragraph(name, style="Author")
    file.add_paragraph("Tide gauges measure sea level.")
    data = io.BytesIO()
    file.save(data)
    assert cited(read_docx(data.getvalue(), "a.docx", LIMITS)) == {"title": "Tides", "authors": authors}


def pdf(extra=b"", **information: str):
    """A PDF with an information dictionary, and bytes of packets, where a file would have them in streams."""
    entries = "".join(f"/{key} ({value})" for key, value in information.items())
    stream = b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream" % (len(extra), extra)
    objects = [f"<<{entries}>>".encode(), stream]
    data = small_pdf.small_pdf([TEXT], extra=objects, trailer="/Info 6 0 R")
    return cited(read_pdf(data, "a.pdf", LIMITS))


def xmp(inside, attributes=""):
    spaces = (
        "xmlns:x='adobe:ns:meta/' xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:prism='http://prismstandard.org/namespaces/basic/2.0/'"
    )
    description = f"<rdf:Description {attributes}>{inside}</rdf:Description>"
    return f"<x:xmpmeta {spaces}><rdf:RDF>{description}</rdf:RDF></x:xmpmeta>".encode()


def test_the_information_of_a_pdf():
    assert pdf() == {}
    declared = pdf(
        Title="Rain", Author="Reis, Ana; Poe, Li", Subject="Seas 3 (2011). doi:10.5555/rain.", CreationDate="D:2012"
    )
    assert declared == {"title": "Rain", "authors": ["Reis, Ana", "Poe, Li"], "doi": "10.5555/rain"}
    assert pdf(doi="10.5555/rain") == {"doi": "10.5555/rain"}


def test_the_xmp_of_a_pdf():
    names = "<dc:creator><rdf:Seq><rdf:li>Reis, Ana</rdf:li><rdf:li>Li Poe</rdf:li></rdf:Seq></dc:creator>"
    title = "<dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Rain</rdf:li></rdf:Alt></dc:title>"
    packet = xmp(names + title + "<prism:publicationName>Seas</prism:publicationName>", "prism:doi='10.5555/rain'")
    expected = {"title": "Rain", "authors": ["Reis, Ana", "Li Poe"], "doi": "10.5555/rain", "journal": "Seas"}
    assert pdf(packet) == expected
    dated = xmp("<prism:coverDate>2011-05-01</prism:coverDate>")
    assert pdf(packet + dated) == expected | {"year": 2011}


def test_packets_that_disagree_say_nothing():
    assert pdf(xmp("", "prism:doi='10.5555/a'") + xmp("", "prism:doi='10.5555/b'")) == {}


@pytest.mark.parametrize(
    "packet",
    [b"<x:xmpmeta" * 100_000, b"<x:xmpmeta></y></x:xmpmeta>", b"</x:xmpmeta><x:xmpmeta", b"<x:xmpmeta>" + b"\xff" * 9],
)
def test_damaged_packets_cost_nothing(packet):
    assert pdf(packet) == {}


def test_pages_for_indexes_of_papers():
    metas = "".join(
        f"<meta name='citation_{name}' content='{value}'>"
        for name, value in [
            ("title", "Tides"), ("author", "Reis, Ana"), ("author", "Li Poe"), ("doi", "10.5555/tides"),
            ("journal_title", "Seas"), ("publication_date", "2011/05/01"),
        ]
    )  # fmt: skip
    page = f"<html><head>{metas}</head><body><p>Tide gauges measure sea level.</p></body></html>"
    assert cited(read_html(page.encode(), "a.html", LIMITS)) == {
        "title": "Tides",
        "authors": ["Reis, Ana", "Li Poe"],
        "doi": "10.5555/tides",
        "journal": "Seas",
        "year": 2011,
    }


def test_front_matter():
    text = "---\ntitle: Tides\nauthor:\n  - Ana Reis\n  - Li Poe\ndate: 2011-05-01\ndoi: 10.5555/t\n---\nTide gauges.\n"
    expected = {"title": "Tides", "authors": ["Ana Reis", "Li Poe"], "doi": "10.5555/t", "year": 2011}
    assert cited(read_markdown(text.encode(), "a.md", LIMITS)) == expected


def test_records_keep_their_keys_and_no_number_that_json_lacks():
    record = b'{"id": 1, "title": "Tides", "abstract": "Sea.", "year": NaN, "impact": 1e999, "venue": "Seas"}'
    (document,) = read_jsonl(record, "a.jsonl", LIMITS)
    assert document.meta == {"title": "Tides", "year": None, "impact": None, "venue": "Seas"}
    json.dumps(document.meta, allow_nan=False)


def test_entities_in_metadata_are_refused_as_everywhere():
    data = f"<!DOCTYPE article [<!ENTITY e 'x'>]><article><front><article-meta/></front>{BODY}</article>"
    with pytest.raises(BrokenFile, match="entities"):
        read_jats(data.encode(), "a.xml", LIMITS)
