"""Write ``examples/article.pdf``, the paper that `make demo` reads.

A two-column paper as journals print them: title block over both columns, running head, page numbers, words broken at
line ends, a table, a figure. Needs two packages that the project does not: `pip install reportlab pyphen`.
"""

from pathlib import Path
from typing import Any, Final

import article_text as words
from reportlab.graphics.shapes import Drawing, Line, PolyLine, String
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    FrameBreak,
    KeepTogether,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

TARGET: Final = Path(__file__).parents[2] / "examples" / "article.pdf"
WIDE, HIGH = A4
SIDE, FOOT, HEAD, GUTTER = 54.0, 64.0, 64.0, 20.0
COLUMN: Final = (WIDE - 2 * SIDE - GUTTER) / 2
TITLE_BLOCK: Final = 118.0

TEXT: Final = ParagraphStyle(
    "text",
    fontName="Times-Roman",
    fontSize=9.5,
    leading=11.5,
    alignment=TA_JUSTIFY,
    firstLineIndent=10,
    hyphenationLang="en_US",
    hyphenationMinWordLength=6,
)
FIRST: Final = ParagraphStyle("first", TEXT, firstLineIndent=0)
HEADING: Final = ParagraphStyle(
    "heading", fontName="Times-Bold", fontSize=11.5, leading=14, spaceBefore=9, spaceAfter=3, keepWithNext=1
)
SUBHEADING: Final = ParagraphStyle("subheading", HEADING, fontSize=10, leading=12, spaceBefore=6)
CAPTION: Final = ParagraphStyle("caption", FIRST, fontSize=8.5, leading=10, spaceBefore=4, spaceAfter=8)
REFERENCE: Final = ParagraphStyle("reference", FIRST, fontSize=8.5, leading=10, leftIndent=14, firstLineIndent=-14)
TITLE: Final = ParagraphStyle(
    "title", fontName="Times-Bold", fontSize=17, leading=20, alignment=TA_CENTER, spaceAfter=8
)
AUTHORS: Final = ParagraphStyle("authors", fontName="Times-Roman", fontSize=11, leading=14, alignment=TA_CENTER)
INSTITUTE: Final = ParagraphStyle("institute", AUTHORS, fontName="Times-Italic", fontSize=9, leading=11)


def edges(canvas: Any, template: BaseDocTemplate) -> None:
    """Running head (from the second page on) and page number."""
    canvas.setFont("Times-Italic", 8.5)
    if template.page > 1:
        canvas.drawString(SIDE, HIGH - 42, words.RUNNING_HEAD)
        canvas.drawRightString(WIDE - SIDE, HIGH - 42, "Journal of Invented Hydrology 19(2)")
    canvas.setFont("Times-Roman", 9)
    canvas.drawCentredString(WIDE / 2, 36, str(template.page + 116))


def columns(top: float) -> list[Frame]:
    """Two columns from the foot of the page up to a height."""
    bare = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
    return [Frame(SIDE + side * (COLUMN + GUTTER), FOOT, COLUMN, top - FOOT, **bare) for side in (0, 1)]


def section(heading: str, paragraphs: tuple[str, ...], style: ParagraphStyle = HEADING) -> list[Any]:
    """A heading and its paragraphs, the first of them without indent."""
    body = [Paragraph(text, TEXT if place else FIRST) for place, text in enumerate(paragraphs)]
    return [Paragraph(heading, style), *body]


def table() -> KeepTogether:
    """The table under its caption."""
    grid = Table([list(row) for row in words.TABLE], colWidths=[78, 52, 52, 40], rowHeights=12)
    grid.setStyle(
        [
            ("FONT", (0, 0), (-1, -1), "Times-Roman", 8.5),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEABOVE", (0, 0), (-1, 0), 0.7, "black"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.4, "black"),
            ("LINEBELOW", (0, -1), (-1, -1), 0.7, "black"),
        ]
    )
    return KeepTogether([Spacer(1, 6), Paragraph(words.TABLE_CAPTION, CAPTION), grid, Spacer(1, 8)])


def figure() -> KeepTogether:
    """Two curves over weeks, with labelled axes."""
    high, wide = 100.0, COLUMN
    drawing = Drawing(wide, high)
    drawing.add(Line(28, 20, wide - 6, 20, strokeWidth=0.6))
    drawing.add(Line(28, 20, 28, high - 4, strokeWidth=0.6))
    for values, dash in ((words.SCHEDULED, [3, 2]), (words.CONTROLLED, None)):
        step = (wide - 40) / (len(values) - 1)
        points = [at for place, value in enumerate(values) for at in (28 + place * step, 20 + (value - 0.15) * 400)]
        drawing.add(PolyLine(points, strokeWidth=0.9, strokeDashArray=dash))
    for value in (0.20, 0.25, 0.30):
        drawing.add(String(8, 18 + (value - 0.15) * 400, f"{value:.2f}", fontName="Helvetica", fontSize=6.5))
    for week in (0, 4, 8, 12):
        at = 28 + week * (wide - 40) / 12
        drawing.add(String(at - 2, 10, str(week), fontName="Helvetica", fontSize=6.5))
    drawing.add(String(wide / 2, 2, "week", fontName="Helvetica", fontSize=6.5))
    return KeepTogether([Spacer(1, 6), drawing, Paragraph(words.FIGURE_CAPTION, CAPTION)])


def story() -> list[Any]:
    """The article from title to references."""
    return [
        NextPageTemplate("later"),
        Paragraph(words.TITLE, TITLE),
        Paragraph(words.AUTHORS, AUTHORS),
        *(Paragraph(institute, INSTITUTE) for institute in words.INSTITUTES),
        FrameBreak(),
        *section("Abstract", (words.ABSTRACT,)),
        *section("Keywords", (words.KEYWORDS,)),
        *section("1. Introduction", words.INTRODUCTION),
        *section("2. Related Work", words.RELATED),
        *section("3. The Sensor Network", words.NETWORK),
        Paragraph("4. Sensor Calibration", HEADING),
        *section("4.1 Two-step calibration", words.CALIBRATION_FIRST, SUBHEADING),
        table(),
        *section("4.2 Temperature drift", words.DRIFT, SUBHEADING),
        *section("5. Results and Discussion", words.RESULTS),
        figure(),
        *section("6. Conclusion", words.CONCLUSION),
        *section("Acknowledgements", words.ACKNOWLEDGEMENTS),
        Paragraph("References", HEADING),
        *(Paragraph(reference, REFERENCE) for reference in words.REFERENCES),
    ]


def main() -> None:
    """Write the PDF; the same words give the same bytes."""
    TARGET.parent.mkdir(exist_ok=True)
    title = Frame(SIDE, HIGH - HEAD - TITLE_BLOCK + 14, WIDE - 2 * SIDE, TITLE_BLOCK, id="title")
    pages = BaseDocTemplate(
        str(TARGET),
        pagesize=A4,
        title=words.TITLE,
        author="Marta Lindqvist, Jonas Okafor, Elif Sarandon",
        invariant=1,
        pageTemplates=[
            PageTemplate("first", [title, *columns(HIGH - HEAD - TITLE_BLOCK)], onPage=edges),
            PageTemplate("later", columns(HIGH - HEAD), onPage=edges),
        ],
    )
    pages.build(story())
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes, {pages.page} pages")


if __name__ == "__main__":
    main()
