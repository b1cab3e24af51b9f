"""Every run of a Word file that is shown is in the text, once: shapes of runs inside each other, and what is told."""

import io
import re
import zipfile
from itertools import count

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.documents import SectionKind
from keywright.core.errors import BrokenFile
from keywright.reading.formats.docx import read_docx
from keywright.reading.limits import Limits

SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
STYLES = (
    '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Child"><w:name w:val="Child"/><w:basedOn w:val="Secret"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Away"><w:name w:val="Away"/><w:rPr><w:vanish/></w:rPr></w:style>'
)


def docx_of(body: str) -> bytes:
    """Return a file whose body has these elements."""
    made = io.BytesIO()
    docx.Document().save(made)
    packed = io.BytesIO()
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/document.xml":
                content = f"<w:document {SPACES}><w:body>{body}</w:body></w:document>".encode()
            elif name == "word/styles.xml":
                content = content.replace(b"</w:styles>", STYLES.encode() + b"</w:styles>")
            new.writestr(name, content)
    return packed.getvalue()


def read(body: str):
    return read_docx(docx_of(body), "a.docx", Limits())


def run(content: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr>{content}</w:r>"


def field(mark: str) -> str:
    return run(f'<w:fldChar w:fldCharType="{mark}"/>')


INSTRUCTION = run("<w:instrText>HYPERLINK x \\h</w:instrText>")
BEFORE, RESULT, AFTER = field("begin") + INSTRUCTION, field("separate"), field("end")
AROUND = {  # shape: the elements before and after, and whether what is inside is shown
    "insertion": ("<w:ins>", "</w:ins>", True),
    "deletion": ("<w:del>", "</w:del>", False),
    "moved to": ("<w:moveTo>", "</w:moveTo>", True),
    "moved from": ("<w:moveFrom>", "</w:moveFrom>", False),
    "insertion of a move": ("<w:moveTo><w:ins>", "</w:ins></w:moveTo>", True),
    "simple field": ('<w:fldSimple w:instr="REF x">', "</w:fldSimple>", True),
    "result of a field": (BEFORE + RESULT, AFTER, True),
    "instruction of a field": (BEFORE, RESULT + AFTER, False),
    "content control": (
        '<w:sdt><w:sdtPr><w:alias w:val="A"/></w:sdtPr><w:sdtContent>',
        "</w:sdtContent></w:sdt>",
        True,
    ),
    "placeholder": ("<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>", "</w:sdtContent></w:sdt>", False),
    "smart tag": ('<w:smartTag w:element="City">', "</w:smartTag>", True),
    "custom XML": ('<w:customXml w:element="x">', "</w:customXml>", True),
    "hyperlink": ('<w:hyperlink w:anchor="x">', "</w:hyperlink>", True),
    "direction": ('<w:dir w:val="rtl">', "</w:dir>", True),
    "override of direction": ('<w:bdo w:val="rtl">', "</w:bdo>", True),
    "comment": ('<w:commentRangeStart w:id="0"/>', '<w:commentRangeEnd w:id="0"/>', True),
    "bookmark": ('<w:bookmarkStart w:id="1" w:name="b"/>', '<w:bookmarkEnd w:id="1"/>', True),
    "moved range": ('<w:moveToRangeStart w:id="1"/>', '<w:moveToRangeEnd w:id="1"/>', True),
    "base of ruby": ("<w:r><w:ruby><w:rubyPr/><w:rt/><w:rubyBase>", "</w:rubyBase></w:ruby></w:r>", True),
    "reading aid": ("<w:r><w:ruby><w:rt>", "</w:rt><w:rubyBase/></w:ruby></w:r>", False),
}
LEAVES = {  # shape: the element for a word, and what is shown
    "run": lambda word: (run(f"<w:t>{word}</w:t>"), word),
    "two texts": lambda word: (run(f"<w:t>{word[:2]}</w:t><w:t>{word[2:]}</w:t>"), word),
    "two runs": lambda word: (run(f"<w:t>{word[:2]}</w:t>") + "<w:proofErr/>" + run(f"<w:t>{word[2:]}</w:t>"), word),
    "tab": lambda word: (run(f"<w:t>a</w:t><w:tab/><w:t>{word}</w:t>"), f"a {word}"),
    "line break": lambda word: (run(f"<w:t>a</w:t><w:br/><w:t>{word}</w:t>"), f"a {word}"),
    "return": lambda word: (run(f"<w:t>a</w:t><w:cr/><w:t>{word}</w:t>"), f"a {word}"),
    "placed tab": lambda word: (run(f"<w:t>a</w:t><w:ptab/><w:t>{word}</w:t>"), f"a {word}"),
    "hyphen": lambda word: (run(f"<w:t>a</w:t><w:noBreakHyphen/><w:t>{word}</w:t>"), f"a-{word}"),
    "soft hyphen": lambda word: (run(f"<w:t>a</w:t><w:softHyphen/><w:t>{word}</w:t>"), f"a{word}"),
    "printed page": lambda word: (run(f"<w:lastRenderedPageBreak/><w:t>{word}</w:t>"), word),
    "sign": lambda word: (run(f'<w:sym w:font="Arial" w:char="00B5"/><w:t>{word}</w:t>'), f"µ{word}"),
    "Greek sign": lambda word: (run(f'<w:sym w:font="Symbol" w:char="F062"/><w:t>{word}</w:t>'), f"β{word}"),
    "hidden": lambda word: (run(f"<w:t>{word}</w:t>", "<w:vanish/>"), ""),
    "hidden in view of pages": lambda word: (run(f"<w:t>{word}</w:t>", "<w:webHidden/>"), word),
    "hidden by style": lambda word: (run(f"<w:t>{word}</w:t>", '<w:rStyle w:val="Secret"/>'), ""),
    "hidden by basis": lambda word: (run(f"<w:t>{word}</w:t>", '<w:rStyle w:val="Child"/>'), ""),
    "shown": lambda word: (run(f"<w:t>{word}</w:t>", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>'), word),
    "footnote": lambda word: (run('<w:footnoteReference w:id="2"/>') + run(f"<w:t>{word}</w:t>"), word),
    "deleted text": lambda word: (f"<w:del>{run(f'<w:delText>{word}</w:delText>')}</w:del>", ""),
    "entry of an index": lambda word: (BEFORE + AFTER + run(f"<w:t>{word}</w:t>"), word),
    "alternative": lambda word: (
        run(f'<mc:AlternateContent><mc:Choice Requires="x"><w:t>{word}</w:t></mc:Choice>')[:-6]
        + f"<mc:Fallback><w:t>{word}</w:t></mc:Fallback></mc:AlternateContent></w:r>",
        word,
    ),
    "newer sign": lambda word: (
        run('<mc:AlternateContent><mc:Choice Requires="x"/>')[:-6]
        + f"<mc:Fallback><w:t>{word}</w:t></mc:Fallback></mc:AlternateContent></w:r>",
        word,
    ),
}


@st.composite
def inline(draw: st.DrawFn, words=None, depth: int = 0) -> tuple[str, str]:
    """Return elements of a paragraph, and what of them is shown."""
    words = words or (f"word{number}" for number in count())
    xml, shown = "", ""
    for _ in range(draw(st.integers(1, 3))):
        if depth < 3 and draw(st.booleans()):
            start, end, is_shown = AROUND[draw(st.sampled_from(sorted(AROUND)))]
            inner, text = draw(inline(words, depth + 1))
            xml, shown = f"{xml}{start}{inner}{end}", shown + text * is_shown
        else:
            leaf, text = LEAVES[draw(st.sampled_from(sorted(LEAVES)))](next(words))
            xml, shown = f"{xml}{leaf}{run('<w:t> </w:t>')}", f"{shown}{text} "
    return xml, shown


@given(inline())
def test_what_is_shown_is_the_text(made):
    xml, shown = made
    document = read(f"<w:p>{run('<w:t>Begin </w:t>')}{xml}</w:p><w:p>{run('<w:t>end</w:t>')}</w:p>")
    assert document.text == " ".join(f"Begin {shown}".split()) + "\n\nend"


@pytest.mark.parametrize("shape", [*AROUND, *LEAVES])
def test_each_shape_alone(shape):
    if shape in AROUND:
        start, end, is_shown = AROUND[shape]
        xml, shown = start + run("<w:t>word</w:t>") + end, "word" * is_shown
    else:
        xml, shown = LEAVES[shape]("word")
    assert read(f"<w:p>{run('<w:t>The </w:t>')}{xml}{run('<w:t>.</w:t>')}</w:p>").text == f"The {shown}."


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{run(f'<w:t>{text}</w:t>')}</w:p>"


BLOCKS = {
    "content control": f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph('inner')}</w:sdtContent></w:sdt>",
    "custom XML": f'<w:customXml w:element="x">{paragraph("inner")}</w:customXml>',
    "list": paragraph("inner", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    "alternative": f"<mc:AlternateContent><mc:Choice>{paragraph('inner')}</mc:Choice></mc:AlternateContent>",
    "insertion": paragraph("inner", "<w:rPr><w:ins/></w:rPr>"),
}


@pytest.mark.parametrize("shape", BLOCKS)
def test_paragraphs_inside_other_elements(shape):
    assert read(paragraph("before") + BLOCKS[shape] + paragraph("after")).text == "before\n\ninner\n\nafter"


BOX = f"<w:txbxContent>{paragraph('box')}{paragraph('more')}</w:txbxContent>"
VML = f"<w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict>"
DRAWN = f"<w:drawing><wps:wsp><wps:txbx>{BOX}</wps:txbx></wps:wsp></w:drawing>"
LINES = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in ("box", "more"))
CANVAS = f"<w:drawing><a:txBody>{LINES}</a:txBody></w:drawing>"
BOTH = (
    f'<mc:AlternateContent><mc:Choice Requires="wps">{DRAWN}</mc:Choice>'
    f"<mc:Fallback>{VML}</mc:Fallback></mc:AlternateContent>"
)


@pytest.mark.parametrize("box", [VML, DRAWN, CANVAS, BOTH])
def test_text_boxes_follow_their_paragraph_once(box):
    document = read(f"<w:p>{run('<w:t>be</w:t>')}{run(box)}{run('<w:t>fore</w:t>')}</w:p>{paragraph('after')}")
    assert document.text == "before\n\nbox\n\nmore\n\nafter"


def test_a_deleted_paragraph_mark_joins_two_paragraphs():
    assert read(paragraph("heat ", "<w:rPr><w:del/></w:rPr>") + paragraph("pump")).text == "heat pump"
    assert read(paragraph("heat pump", "<w:rPr><w:del/></w:rPr>")).text == "heat pump"


@pytest.mark.parametrize("following", ["<w:sectPr/>", "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:sectPr/>"])
def test_a_deleted_paragraph_mark_without_a_paragraph_behind_it_costs_nothing(following):
    assert read(paragraph("heat pump", "<w:rPr><w:del/></w:rPr>") + following).text == "heat pump"


def test_a_field_may_span_paragraphs():
    start, end = f"<w:p>{BEFORE}{RESULT}{run('<w:t>heat</w:t>')}</w:p>", f"<w:p>{run('<w:t>pump</w:t>')}{AFTER}</w:p>"
    assert read(start + end).text == "heat\n\npump"


def test_an_open_field_costs_no_other_paragraph():
    assert read(f"<w:p>{BEFORE}</w:p>" + paragraph("heat pump")).text == "heat pump"


def test_hidden_styles_of_paragraphs():
    style = '<w:pStyle w:val="Away"/>'
    assert read(paragraph("secret", style) + paragraph("shown")).text == "shown"


def test_what_is_left_out_is_told():
    formula = "<m:oMath><m:r><m:t>x+y</m:t></m:r></m:oMath>"
    table = f"<w:tbl><w:tr><w:tc>{paragraph('cell')}</w:tc></w:tr></w:tbl>"
    document = read(
        f"<w:p>{run('<w:t>The sum </w:t>')}{formula}</w:p>{table}<w:sdt><w:sdtContent>{table}</w:sdtContent></w:sdt>"
    )
    assert document.text == "The sum"
    assert document.warnings == ("left out: 1 formula, 2 tables",)


def test_headers_and_comments_are_told():
    file = docx.Document()
    file.add_paragraph("Heat pumps warm houses.")
    file.sections[0].header.paragraphs[0].text = "Annual report"
    file.add_comment(file.paragraphs[0].runs, "Is that so?", "A. Reader")
    made = io.BytesIO()
    file.save(made)
    document = read_docx(made.getvalue(), "a.docx", Limits())
    assert document.text == "Heat pumps warm houses."
    assert sorted(document.warnings[0].removeprefix("left out: ").split(", ")) == ["1 comment", "1 page header"]


def test_titles_and_headings_keep_their_sections():
    document = read(paragraph("Heat", '<w:pStyle w:val="Title"/>') + paragraph("Pumps", '<w:pStyle w:val="Heading1"/>'))
    assert [section.kind for section in document.sections] == [SectionKind.TITLE, SectionKind.HEADING]


def test_tables_of_sentences_are_read_and_those_of_data_beside_text_are_counted():
    sentence = "The pump runs at night when power is cheap."
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in (sentence, "12 kW"))
    document = read(f"{paragraph('before')}<w:tbl><w:tr>{cells}</w:tr></w:tbl>{paragraph('after')}")
    assert document.text.split("\n\n") == ["before", sentence, "12 kW", "after"]
    assert document.warnings == ()
    cell = f"<w:tc>{paragraph('08:10')}<w:p>{run(f'<w:t>{sentence}</w:t><w:br/><w:t>bring cups</w:t>')}</w:p></w:tc>"
    table = f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"
    assert read(f"{paragraph('before')}{table}").text.split("\n\n") == ["before", "08:10", f"{sentence} bring cups"]


def test_a_file_that_is_one_table_is_read():
    rows = "".join(
        f"<w:tr><w:tc>{paragraph(year)}</w:tc><w:tc>{paragraph(post)}</w:tc></w:tr>"
        for year, post in (("2010", "Engineer of heat pumps"), ("2015", "Head of drilling"))
    )
    assert read(f"<w:tbl>{rows}</w:tbl>").text.split("\n\n") == [
        *("2010", "Engineer of heat pumps"), *("2015", "Head of drilling"),
    ]  # fmt: skip


def test_a_large_first_letter_is_of_its_word():
    letter = paragraph("T", '<w:framePr w:dropCap="drop"/>')
    assert read(letter + paragraph("he pump runs.")).text == "The pump runs."


@pytest.mark.parametrize("kind", ["template.main+xml", "macro"])
def test_templates_and_files_with_macros_are_read(kind):
    types = {
        "template.main+xml": b"application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "macro": b"application/vnd.ms-word.document.macroEnabled.main+xml",
    }
    usual = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx_of(paragraph("heat pump")))) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(usual, types[kind]))
    assert read_docx(packed.getvalue(), "a.docm", Limits()).text == "heat pump"


@pytest.mark.parametrize(
    ("run_of_signs", "text"),
    [
        (run('<w:sym w:font="Symbol" w:char="F0B3"/>'), "≥"),
        (run('<w:sym w:font="Symbol" w:char="F061"/>'), "α"),
        (run("<w:t>\uf062\uf0b0</w:t>", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'), "β°"),
        (run("<w:t>a\uf0a8b</w:t>", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'), "a b"),
    ],
)
def test_codes_of_fonts_of_signs_are_their_signs(run_of_signs: str, text: str):
    assert read(f"<w:p>{run_of_signs}</w:p>{paragraph('It flows.')}").text == f"{text}\n\nIt flows."


def test_codes_that_are_too_large_are_damage():
    with pytest.raises(BrokenFile, match="not a readable DOCX"):
        read("<w:p>" + run('<w:sym w:char="FFFFFFFFFFFF"/>') + "</w:p>")


HEADING = '<w:pStyle w:val="Heading1"/>'


@pytest.mark.parametrize(
    "stated", ["Microsoft Word - heat.doc", "Document1", "Untitled", "[Document title]", "Heat pumps"]
)
@pytest.mark.parametrize("style", [HEADING, ""])
def test_titles_that_programs_wrote_count_for_nothing_and_the_first_line_is_the_title_once(stated: str, style: str):
    file = docx.Document(
        io.BytesIO(docx_of(paragraph("Heat pumps", style) + paragraph("They warm houses. They last.")))
    )
    file.core_properties.title = stated
    made = io.BytesIO()
    file.save(made)
    document = read_docx(made.getvalue(), "a.docx", Limits())
    assert document.section(SectionKind.TITLE) == document.meta["title"] == "Heat pumps"
    assert document.text == "Heat pumps\n\nThey warm houses. They last."


def test_a_file_without_properties_has_no_title_or_author_of_a_library():
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx_of(paragraph("They warm houses. They last.")))) as old:
        assert b"python-docx" in old.read("docProps/core.xml")
        with zipfile.ZipFile(made, "w") as new:
            for name in set(old.namelist()) - {"docProps/core.xml"}:
                content = old.read(name)
                new.writestr(name, re.sub(rb"<Relationship [^>]*core-properties[^>]*/>", b"", content))
    for file in (made.getvalue(), docx_of(paragraph("They warm houses. They last."))):
        document = read_docx(file, "a.docx", Limits())
        assert document.text == "They warm houses. They last."
        assert not document.meta
