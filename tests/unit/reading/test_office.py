"""Books, texts of OpenDocument and slides: what a person sees is read once and in order, the rest is told."""

import io
import re
import zipfile

import pytest
from tests.unit.reading.made_by_pandoc import make_file

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BrokenFile, ProtectedFile, TooLarge
from keywright.reading.formats import format_of
from keywright.reading.limits import Limits

LIMITS = Limits()
SENTENCES = (
    "The pump runs at night.",
    "The tank keeps the floor warm.",
    "A valve shuts the third loop.",
    "Nobody hears the compressor.",
)


def read(data: bytes, name: str) -> Document:
    (document,) = format_of(data, name).read(data, name, LIMITS)
    assert isinstance(document, Document)
    return document


def zip_of(members: dict[str, str | bytes], packing: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packing) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    "member", [("META-INF/manifest.xml", "<a encryption-data=''/>"), ("META-INF/encryption.xml", "xmlenc#aes")]
)
def test_encrypted_archives(member: tuple[str, str]):
    with pytest.raises(ProtectedFile, match="encrypted"):
        read(zip_of(dict([member])), "a.odt")


def test_archives_that_are_damaged_or_too_large():
    for name in ("a.epub", "a.odt", "a.pptx"):
        with pytest.raises(BrokenFile):
            read(make_file(name[2:])[:3000], name)
        with pytest.raises(BrokenFile):
            read(zip_of({"mimetype": "text"}), name)
    with pytest.raises(TooLarge):
        read(zip_of({"content.xml": "0" * 50_000_000}, zipfile.ZIP_DEFLATED), "a.odt")


TEXT = " ".join(f'xmlns:{name}="{name}"' for name in "office text draw table style svg dc meta".split())
STYLES = """<style:style style:name="S"><style:text-properties text:display="none"/></style:style>
<style:style style:name="P1" style:parent-style-name="Title"/>
<style:style style:name="T1" style:parent-style-name="S"/>"""


def odt_of(body: str, meta: str = "") -> bytes:
    styles = f"<office:automatic-styles>{STYLES}</office:automatic-styles>"
    content = f"{styles}<office:body><office:text>{body}</office:text></office:body>"
    return zip_of(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {TEXT}>{content}</office:document-content>",
            "meta.xml": f"<office:document-meta {TEXT}><office:meta>{meta}</office:meta></office:document-meta>",
        }
    )


P, Q = "<text:p>{0}</text:p>", "<text:p>{1}</text:p>"
BOX = "<draw:frame><draw:text-box>{}</draw:text-box></draw:frame>"
TABLE = "<table:table><table:table-row><table:table-cell>{}</table:table-cell></table:table-row></table:table>"
ITEMS = f"<text:list-header>{P}</text:list-header><text:list-item>{Q}</text:list-item>"
RUBY = "<text:ruby><text:ruby-base>{0}</text:ruby-base><text:ruby-text>no</text:ruby-text></text:ruby>"
SHAPES = ("custom-shape", "rect", "ellipse", "caption", "connector")


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("<text:p>{0}" + BOX.format(Q) + "</text:p>", 2),
        (BOX.format(P) + Q, 2),
        ("<text:p>{0}" + BOX.format(TABLE.format(Q)) + "</text:p>", 2),
        *((f"<text:p>{{0}}<draw:{shape}>{Q}</draw:{shape}></text:p>", 2) for shape in SHAPES),
        ("<text:p><text:placeholder>{0}</text:placeholder> <text:user-defined>{1}</text:user-defined></text:p>", 1),
        ("<text:p><text:sender-city>{0}</text:sender-city> <text:creation-date>{1}</text:creation-date></text:p>", 1),
        ("<text:p><text:bookmark-start text:name='a'/>{0}<text:bookmark-end text:name='a'/> {1}</text:p>", 1),
        ("<text:p><text:drop-down><text:label/>{0}</text:drop-down><text:s/>{1}</text:p>", 1),
        (f"<text:p>{RUBY} {{1}}</text:p>", 1),
        (P + Q + "<text:section text:display='none'><text:p>no</text:p></text:section>", 2),
        (P + Q + "<text:p><text:hidden-paragraph text:is-hidden='true'/>no</text:p>", 2),
        ("<text:p>{0}<text:span text:style-name='T1'>no</text:span> {1}</text:p>", 1),
        ("<text:p>{0} <draw:frame><svg:title>no</svg:title><svg:desc>no</svg:desc></draw:frame>{1}</text:p>", 1),
        ("<text:tracked-changes><text:p>no</text:p></text:tracked-changes>" + P + Q, 2),
        ("<text:table-of-content><text:p>no</text:p></text:table-of-content>" + P + Q, 2),
        (TABLE.format(P + TABLE.format(Q)), 2),
        (TABLE.format(P + Q).replace("<table:table>", "<table:table><table:table-column/>"), 2),
        (f"<text:list>{ITEMS}</text:list>", 2),
    ],
)
def test_all_texts_of_opendocument_are_read_once(body: str, blocks: int):
    document = read(odt_of(body.format(*SENTENCES) + "<text:p>The end.</text:p>"), "a.odt")
    assert " ".join(document.text.split()) == " ".join([*SENTENCES[:2], "The end."])
    assert document.text.count("\n\n") == blocks


def test_titles_headings_and_what_is_left_out_of_opendocument():
    title = "<text:p text:style-name='P1'>Heat</text:p>"
    inner = "<text:p>no</text:p>"
    text = (
        f"<text:p>It<office:annotation>{inner}</office:annotation> runs<text:note>{inner}</text:note>."
        "<draw:object/></text:p>"
    )
    table = TABLE.format(inner)
    heading = "<text:h text:outline-level='2'>Pumps</text:h>"
    meta = "<dc:title>Template</dc:title><dc:creator>Ada Example</dc:creator><meta:keyword>brine</meta:keyword>"
    document = read(odt_of(title + heading + text + table, meta), "a.odt")
    assert document.text == "Heat\n\nPumps\n\nIt runs."
    assert [section.kind for section in document.sections] == [Kind.TITLE, Kind.HEADING]
    assert document.meta == {"title": "Heat", "authors": ["Ada Example"], "author_keywords": ["brine"]}
    assert document.warnings == ("left out: 1 comment, 1 footnote, 1 embedded object, 1 table",)


NAMES = " ".join(f'xmlns:{name}="{name}"' for name in "p a c dgm m mc r".split())


def pptx_of(slides: list[str], parts: dict[str, str] | None = None, attributes: str = "") -> bytes:
    """Return slides with these shapes, in the reverse order of their files, that refer to ``parts`` by their names."""
    relation = '<Relationship Id="{0}" Type="x/y" Target="{1}"/>'
    numbers = [len(slides) - number for number in range(len(slides))]
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="r{number}"/>' for number in numbers)
    members: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"<p:presentation {NAMES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": "<Relationships>"
        + "".join(relation.format(f"r{number}", f"slides/slide{number}.xml") for number in numbers)
        + "</Relationships>",
    }
    relations = "".join(relation.format(part, f"../{part}.xml") for part in parts or ())
    for number, shapes in zip(numbers, slides, strict=True):
        tree = f"<p:cSld>\n <p:spTree>{shapes}</p:spTree></p:cSld>"
        shown = attributes if number == 1 else ""
        members[f"ppt/slides/slide{number}.xml"] = f"<p:sld {NAMES} {shown}>{tree}</p:sld>"
        members[f"ppt/slides/_rels/slide{number}.xml.rels"] = f"<Relationships>{relations}</Relationships>"
    return zip_of(members | {f"ppt/{part}.xml": content for part, content in (parts or {}).items()})


def shape(text: str, place: tuple[int, int] | None = (0, 0), kind: str = "", hidden: str = "0") -> str:
    offset = f'<a:xfrm><a:off x="{place[0]}" y="{place[1]}"/></a:xfrm>' if place else ""
    placeholder = f'<p:ph type="{kind}"/>' if kind else ""
    names = f'<p:nvSpPr><p:cNvPr id="2" name="x" hidden="{hidden}"/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>'
    runs = "".join(f"\n<a:r><a:rPr b='1'/>\n <a:t>{part}</a:t>\n</a:r>" for part in re.findall(r"..?", text))
    return f"<p:sp>{names}<p:spPr>{offset}</p:spPr><p:txBody><a:p>{runs}</a:p></p:txBody></p:sp>"


GROUP = "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{}</p:grpSp>"
CHOICE = "<mc:AlternateContent><mc:Choice>{0}</mc:Choice><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>"
FALLBACK = "<mc:AlternateContent><mc:Choice/><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>"
FIRST, SECOND, THIRD, FOURTH = SENTENCES


@pytest.mark.parametrize("around", ["{}", GROUP, GROUP.format(GROUP), CHOICE, GROUP.format(CHOICE), FALLBACK])
def test_shapes_are_read_once_and_top_down(around: str):
    shapes = shape(THIRD, (0, 900_000)) + shape(SECOND, (900, 10_000)) + shape(FIRST, (0, 12_000))
    document = read(pptx_of([around.format(shapes + shape("Pumps", kind="title"))]), "a.pptx")
    assert document.text.split("\n\n") == ["Pumps", FIRST, SECOND, THIRD]


def test_slides_are_read_in_their_order_and_hidden_ones_are_told():
    slides = [shape("Heat", kind="ctrTitle") + shape(FIRST, None, "body"), shape(SECOND), shape(THIRD)]
    document = read(pptx_of(slides), "a.pptx")
    assert document.text.split("\n\n") == ["Heat", FIRST, SECOND, THIRD]
    assert document.section(Kind.TITLE) == "Heat"
    document = read(pptx_of(slides, attributes="show='0'"), "a.pptx")
    assert document.text.split("\n\n") == ["Heat", FIRST, SECOND]
    assert document.warnings == ("left out: 1 hidden slide",)


def test_what_is_no_text_of_slides():
    data = "<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Depth</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>"
    table = f"<p:graphicFrame><a:graphic>{data}</a:graphic></p:graphicFrame>"
    formula = "<a:p><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></a:p>"
    shapes = [shape("Example Ltd", kind="ftr"), shape("2", kind="sldNum"), shape("secret", hidden="1"), table]
    shapes += [shape(FIRST).replace("</p:txBody>", f"{formula}</p:txBody>")]
    notes = {
        "notesSlides/notesSlide1": "<notes xmlns:a='x'><a:t>Say why.</a:t></notes>",
        "notesSlides/notesSlide2": "<notes xmlns:a='x'><a:t>2</a:t></notes>",
    }
    comment = {"comments/comment1": "<p:cmLst xmlns:p='x'><p:text>Check this.</p:text></p:cmLst>"}
    document = read(pptx_of(["".join(shapes)], notes | comment), "a.pptx")
    assert document.text == FIRST
    assert document.warnings == ("left out: 1 page footer, 1 formula, 1 table, 1 speaker note, 1 comment",)


def test_diagrams_are_read_and_charts_are_told():
    point = "<dgm:pt><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>"
    points = point.format(FIRST) + point.format(SECOND)
    title = f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{THIRD}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    parts = {
        "diagram": f"<dgm:dataModel {NAMES}><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>",
        "chart": f"<c:chartSpace {NAMES}><c:chart>{title}<c:v>4</c:v></c:chart></c:chartSpace>",
    }
    frames = "<p:graphicFrame><dgm:relIds r:dm='diagram' r:lo='x'/></p:graphicFrame>"
    frames += "<p:graphicFrame><c:chart r:id='chart'/></p:graphicFrame>"
    document = read(pptx_of([frames + shape(FOURTH)], parts), "a.pptx")
    assert document.text.split("\n\n") == [FIRST, SECOND, THIRD, FOURTH]
    assert document.section(Kind.CAPTION) == THIRD
    assert document.warnings == ("left out: 1 chart",)


PAGE = "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='x'><head><title>no</title></head><body>{}</body></html>"


def epub_of(pages: dict[str, str | bytes], spine: list[str] | None = None, guide: str = "", more: str = "") -> bytes:
    items = "".join(f'<item id="{name}" href="text/{name}"/>' for name in pages)
    order = "".join(f'<itemref idref="{name}" linear="no"/>' for name in spine or pages)
    about = "<title>Heat</title><title>A second title</title><creator>Ada</creator><creator>Li Wei</creator>"
    package = f"<package><metadata>{about}<language>fr</language></metadata>"
    package += f"<manifest>{items}{more}</manifest><spine>{order}</spine><guide>{guide}</guide></package>"
    chapters = {f"a/text/{name.replace('%20', ' ')}": page for name, page in pages.items()}
    return zip_of({"mimetype": "application/epub+zip", "a/content.opf": package, **chapters})


def test_books_are_read_in_the_order_of_their_spine():
    pages = {"b.xhtml": SECOND, "a%20a.html": FIRST, "c.xhtml": PAGE.format("Contents"), "d.xhtml": PAGE.format("no")}
    guide = '<reference type="toc" href="text/c.xhtml"/>'
    more = '<item id="n" href="text/d.xhtml" properties="nav scripted"/><item id="gone" href="gone.xhtml"/>'
    data = epub_of(pages, ["a%20a.html", "c.xhtml", "n", "b.xhtml", "gone"], guide, more)
    document = read(data, "a.epub")
    assert document.text.split("\n\n") == ["Heat", FIRST, SECOND]
    assert (document.meta["authors"], document.language) == (["Ada", "Li Wei"], "fr")
    assert document.warnings == ("left out: 1 missing part",)


@pytest.mark.parametrize(
    ("page", "left_out"),
    [
        ("<p>{0}</p><p>{1}</p>", ""),
        ("<p>{0}</p><aside><p>{1}</p></aside>", ""),
        ("<p>{0}<a epub:type='noteref' href='#a'>1</a> {1}</p><aside epub:type='footnote'>no</aside>", "1 footnote"),
        ("<p>{0} <span epub:type='pagebreak'>12</span>{1}</p>", ""),
        ("<nav epub:type='toc'>no</nav><p>{0}</p><p>{1}</p>", ""),
        ("<p>{0}</p><p hidden='hidden'>no</p><p>{1}</p>", ""),
        ("<p>{0}<br><p>{1} & more", ""),
    ],
)
def test_chapters_of_books(page: str, left_out: str):
    document = read(epub_of({"a.xhtml": PAGE.format(page.format(FIRST, SECOND))}), "a.epub")
    assert " ".join(document.text.removesuffix(" & more").split()) == f"Heat {FIRST} {SECOND}"
    assert document.warnings == ((f"left out: {left_out}",) if left_out else ())


def test_chapters_in_other_encodings_and_title_pages():
    latin = f"<?xml version='1.0' encoding='iso-8859-1'?>{PAGE.format('<p>Le café coule.</p>')}".encode("iso-8859-1")
    wide = f"<?xml version='1.0' encoding='utf-16'?>{PAGE.format('<p>Le thé coule.</p>')}".encode("utf-16")
    front = PAGE.format("<section epub:type='copyright-page'><p>Printed by Example.</p></section>")
    document = read(epub_of({"a.xhtml": front, "b.xhtml": latin, "c.xhtml": wide}), "a.epub")
    assert document.text.split("\n\n") == ["Heat", "Printed by Example.", "Le café coule.", "Le thé coule."]
    assert document.section(Kind.NOTICE) == "Printed by Example."


def test_what_is_named_again_and_again_is_read_once():
    spine = ["a.xhtml"] * 1_000
    assert read(epub_of({"a.xhtml": PAGE.format(FIRST)}, spine), "a.epub").text == f"Heat\n\n{FIRST}"
    more = "".join(f'<item id="{number}" href="text/a.xhtml#{number}"/>' for number in range(1_000))
    spine = list(map(str, range(1_000)))
    assert read(epub_of({"a.xhtml": PAGE.format(FIRST)}, spine, more=more), "a.epub").text == f"Heat\n\n{FIRST}"
    parts = {"diagram": f"<x xmlns:a='a'><a:p><a:r><a:t>{FIRST}</a:t></a:r></a:p></x>"}
    frame = "<p:graphicFrame><dgm:relIds r:dm='diagram'/></p:graphicFrame>"
    assert read(pptx_of([frame * 1_000], parts), "a.pptx").text == FIRST


@pytest.mark.parametrize("stated", ["Untitled 1", "Unbenannt 1", "Sans nom 1", "Microsoft Word - heat.doc", "heat.odt"])
def test_titles_that_programs_wrote_count_for_nothing(stated: str):
    heading = "<text:h text:outline-level='1'>Heat pumps</text:h><text:p>They warm houses.</text:p>"
    assert read(odt_of(heading, f"<dc:title>{stated}</dc:title>"), "a.odt").section(Kind.TITLE) == "Heat pumps"
