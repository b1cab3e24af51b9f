"""Numbers by which pages are read, in one table.

They were set by hand on the training papers of SemEval-2010 and on the PDFs that ``tests/unit/reading`` reads.
``tools/checks/page_numbers.py`` moves each by a fifth and measures what becomes of the sections and the text of
labelled pages: ``docs/explanation/page-numbers.csv``. Bounds that only protect time and memory are beside their code.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """Numbers of bare text: in characters where nothing else is said."""

    # Lines.
    look_ahead: int = 3  # lines in which the next one with text is looked for
    full_line: float = 0.8  # share of the lines that are no longer than a full one
    fewest_capitals: int = 4  # letters that a line needs for its capitals to mean something, if some are small
    mostly_capitals: float = 0.75  # share of capitals among the letters of a line in capitals, at least
    full: float = 0.85  # share of a full line's length from which a note or a caption may continue in the next line
    front: int = 8_000  # characters at the beginning, where abstract or introduction begin and all lines may be notes

    # Mail, markup.
    mail_fields: int = 3  # fields of a mail's head, so that other texts that begin with two of them stay as they are
    header_fields: int = 2  # the same where one of them is a title
    markup_front: int = 2_000  # characters in which a tagged title is that of the text
    markup_letters: int = 2  # letters of a heading between marks; a number or letter alone is none

    # Names of people, publishers' lines and notes, running heads.
    most_names: float = 0.6  # share of the parts of such a line that look like names, at least
    longest_publisher: int = 400  # characters of a publisher's line; a longer one may be an abstract with an address
    longest_note: int = 800  # characters of a note on one line; a longer line holds other text as well
    shortest_head: int = 4  # characters of a running head, at least
    longest_head: int = 150  # the same, at most
    fewest_heads: int = 3  # repetitions of a running head
    page: int = 1_200  # median of the characters between two running heads, at least
    nearest_heads: int = 500  # characters between any two of them, at least
    isolated: float = 0.5  # share of a head's lines that are beside a blank line or have a page number

    # Headings.
    longest_heading: int = 90  # characters of a heading of known kind; a longer line is a sentence
    short_heading: int = 45  # characters of a further line of a heading, or of a heading in small letters
    heading_words: int = 12  # words of a numbered heading's line; a longer one is the item of a list
    heading_lines: int = 3  # lines of a heading
    largest_step: int = 3  # between the numbers of two headings: those between may be lost in conversion
    last_first_number: int = 2  # largest number of the first numbered heading, for the same reason
    numbered_text: int = 3  # numbered headings of a text that numbers all its headings
    shortest_capitals: int = (
        6  # characters of a heading that only its capitals show; shorter ones are labels of figures
    )

    # Sections.
    longest_keywords: int = 1_000  # characters of keywords, metadata and abstract: if the next heading is further away,
    longest_metadata: int = 2_000  # other text comes before it
    longest_abstract: int = 6_000
    short_abstract: int = 200  # characters of an abstract from which a blank line can end it
    caption_lines: int = 6  # lines of a caption

    # Front matter.
    paragraph: int = 200  # characters of a line that is a paragraph of its own
    plain_abstract: int = 4_000  # characters of an abstract without heading
    longest_above: int = 300  # characters of a line above the title that is not text
    heading_below_keywords: int = 5  # characters of a heading in capitals below keywords; shorter ones may be acronyms
    mark_letters: int = 2  # letters of a line that is the mark of a footnote
    prose_words: int = 40  # words of the shortest prose, such as an abstract without heading
    prose_function_words: float = 0.2  # share of function words in prose, at least
    prose_verbs: int = 2  # verbs or pronouns in prose; addresses have none

    # Titles.
    longest_title: int = 250  # characters of a title's line; a longer one is a paragraph
    title_lines: int = 4  # lines of a paper's title
    fewest_title_words: int = 2  # words of a title; a single word could be anything
    most_title_words: int = 30  # the same, at most
    used_words: float = 0.5  # share of a line's words that the paper uses above which a title continues
    used_words_of_names: float = 0.9  # the same in a line that looks like names
    sentence_words: int = 12  # words from which a line with a full stop is a sentence
    vocabulary: int = 10_000  # characters of text that show which words a paper uses as words, not as names
    lines_above: int = 4  # first lines with text among which the title of a text is looked for, below dates
    longest_first_word: int = 12  # characters of a line's first word, as there may be no blanks between words
    taller: int = 2  # length of a paragraph right below a title, as a multiple of the title's, at least
    title_near: int = 8  # lines below a title among which the next two with text are looked for
    title_front_lines: int = 40  # lines with text among which the title of a paper is looked for
    published_lines: int = 6  # first lines with text that show that a text without known headings is a paper
    shortest_paper: int = 3_000  # characters of such a text
    repeated_title: int = 15  # characters of a line from which its repetition means something

    # Points of a line that may be the title of a paper, chosen on 96 papers and reports of six collections.
    first_line: float = 1.5
    above_names: float = 2.0
    above_a_name: float = 1.0
    printed_again: float = 1.5
    words_of_the_text: float = 1.0
    no_words_of_the_text: float = -1.0
    above_a_publishers_line: float = -1.5
    above_an_issn: float = -2.5
    an_address: float = -1.5
    end_of_a_sentence: float = -0.5
    below_a_label: float = 1.0
    each_line_before: float = -0.05
    certain_title: float = 3.5  # points with which a line is the title without a look at the others
    enough_points: float = 0.5  # points that a title needs with headings of a paper
    enough_alone: float = 2.0  # the same without


@dataclass(frozen=True, slots=True)
class PrintNumbers:
    """Numbers of printed pages, those of a PDF: in points where nothing else is said."""

    # Characters; gaps are multiples of heights.
    ligature_width: float = 0.12  # share by which the widths of a ligature and of its single letters differ, at most
    joined_gap: float = 0.15  # gap between two characters of a word, at most
    joined_step: float = 0.5  # step between their feet, at most
    letter_height: float = 0.05  # share by which the heights of letters of one size differ, at most
    accent_share: float = 0.4  # share of an accent's width over its letter, at least
    wide_gap: float = 0.8  # gap that ends a piece of a line: columns and cells are further apart
    backwards: float = -1.5  # jump to the left that ends it
    same_line: float = 0.2  # height that neighbours on one line share, at least
    blank: float = 0.3  # gap that is a blank where the file has none
    no_blank: float = 0.15  # gap that is not a blank: a raised figure after its word
    word_gap: float = 1.5  # gap between words set letter by letter, as a multiple of that between their letters
    bold_weight: int = 650  # weight of bold type; between medium (500) and bold (700)
    smallest_figure: float = 30.0  # points of a picture's shorter side; smaller ones are ornaments
    largest_figure: float = 0.6  # share of the page; larger pictures are its background

    # Lines and columns; sizes are those of the type, points where nothing is said.
    shared_height: float = 0.5  # share of the lower one's height that two pieces of a line have in common, at least
    usual_pitch: float = 1.2  # sizes between lines where none is under another
    text_size_step: float = 1.0  # points by which lines of running text differ from the text's size, at most
    shortest_step: float = 0.5  # sizes between neighbouring lines; nearer ones are in one row
    longest_step: float = 3.0  # the same; others are far apart
    fewest_lines: int = 4  # lines on each side of a gutter, and numbers in a column of line numbers, at least
    narrowest_gutter: float = 5.0  # white space between columns; less is the space between words
    gutter_share: float = 0.3  # lines across a gutter (titles, tables), as a share of those at the page's fullest place
    margin_share: float = 0.15  # share of the text's width, at either side, where no gutter is looked for
    beside_column: float = 2.0  # lines beside another column may be so much above or below it
    common_gutters: float = 0.3  # share of pages with gutters, at least, for sparse pages to take over theirs
    number_digits: int = 4  # digits of the number of a line
    touching_overlap: float = (
        -0.2
    )  # sizes by which two pieces of a word overlap: signs may be set a little into each other
    initial: float = 1.5  # size of a large first letter, as a multiple of that of its text, at least
    touching_gap: float = 0.4  # sizes between two pieces of a word
    reach_points: float = 10.0  # reach, on both sides, of a piece that is over a gutter, at least
    reach_sizes: float = 1.2  # the same in sizes; the larger one counts
    short_piece: float = 0.25  # share of the text's width; shorter pieces beside a line over both columns belong to it
    long_line: float = 0.6  # share of the longest line; longer ones show the edges of a column
    overrun: int = 10  # one in so many long lines may overrun the edges
    near_rows: int = 3  # rows above that a piece can belong to

    # Running heads and page numbers.
    edge: float = 0.1  # share of a page's height, at its top and at its bottom, with running heads and page numbers
    lone_edge: float = 0.065  # the same for a head that only one page has
    longest_head: int = 90  # characters of such a head, at most
    largest_head: float = 12.0  # points of its type, at most
    head_height: float = 8.0  # points by which the height of a head differs from page to page, at most
    head_size: float = 1.0  # the same for its type
    repeated_gap: float = 0.5  # heights of white space between the text and a repeated head
    lone_gap: float = 1.2  # the same for any other head

    # Tables, formulas, figures, code; sizes are multiples of the text's size, widths are shares of the column's.
    row_cells: int = 3  # cells of a table's row, and its numbers in a full line; beside other rows two cells are enough
    label_words: int = 4  # a label in a figure has fewer words, running text at least as many, a long line twice
    label_size: float = 0.78  # largest type of labels in drawings
    text_over_picture: float = 0.95  # smallest type of text printed over a picture
    longest_symbol: int = 12  # characters of a formula without blanks; longer ones are the rest of an address
    letters_of_word: int = 8  # characters of a formula for each of its words, at least
    word_signs: int = 4  # mathematical signs that a formula with words has more of
    short_formula: int = 4  # characters of a formula that needs no mathematical sign, at most
    formula_size: float = 0.9  # type of the last line of a sentence that looks like a formula, at least
    formula_at_left: float = 0.5  # sizes from the left edge to that line, at most
    formula_at_right: float = 2.0  # sizes from the line above to the right edge, at most
    lone_letters: float = 0.7  # share of single letters in a listing that is set letter by letter
    row_numbers: int = 2  # numbers in a closely set row
    mostly_numbers: float = 0.6  # share of numbers in such a row without words
    many_numbers: float = 0.4  # the same in a narrow one
    narrow_row: float = 0.8  # largest width of a row
    full_line: float = 0.9  # smallest width of a line of text
    head_width: float = 0.75  # largest width of a table's head that is one cell
    cells_width: float = 0.95  # the same of several cells
    between_width: float = 0.6  # largest width of lines between two rows
    row_pitch: float = 2.2  # sizes between neighbouring rows, at most
    gap_pitch: float = 4.0  # sizes between rows with lines between them, at most

    # Paragraphs and headings; distances are multiples of the size of type, widths are shares of the column's.
    alike: float = 0.08  # share of the text's size by which sizes in one paragraph differ, at most, besides
    alike_points: float = 0.3  # so many points
    apart: float = 1.3  # multiple of the usual distance of lines that ends a paragraph
    smallest_type: float = 0.7  # share of the text's size for distances, at least: a line may be small signs
    indent: float = 0.7  # indent of a paragraph's first line, at least
    rough_edge: float = 0.5  # distance from the edge of a column in which lines still begin or end at the edge
    label_edge: float = 2.0  # the same for labels of references, which may be set flush right
    word_room: int = 2  # letters more than its own that a word needs to be set at the end of a line
    hanging: float = 0.2  # share of indented lines by which references without labels are set with hanging indent
    small_type: float = 0.93  # largest type of footnotes; a heading is larger unless its wording is known
    heading_lines: int = 3  # lines of one heading; more in large or bold type are a paragraph
    heading_words: int = 16  # words of a heading's line; longer ones are text
    large_type: float = 1.07  # size of large type, and at the same time
    larger: float = 0.6  # so many points above the text's size
    very_large_type: float = 1.15  # type that needs nothing else to be a heading
    not_full: float = 0.9  # width of most headings, at most
    half_full: float = 0.6  # width of known headings in plain type, at most; of lines that continue, at least
    heading_pitch: float = 1.7  # distance of two lines of one heading, in sizes of the larger type, at most

    # Front matter, text joined over columns.
    longest_keywords: int = 80  # words of a list of author keywords; more under such a heading is text
    title_height: float = 0.6  # share of the first page, from its top, where its title is looked for
    title_size: float = 1.15  # type of a title, as a multiple of the text's size
    largest: float = 0.97  # type of a title's first line, as a share of the largest
    nearly_largest: float = 0.95  # the same of further lines
    title_letters: int = 4  # letters of a title, at least
    declared_letters: int = 10  # the same of one that the file declares
    declared_lines: int = 5  # lines of a declared title, at most
    caption_size: float = 0.3  # points by which type of one size differs, at most
    column_end: float = 2.0  # distance of the end of a full line from the right edge, in sizes of its type, at most
    prefix: int = 2  # letters of a first half (re-, in-) that is rarely a word of a compound
    ending: int = 3  # the same of a second half (-ing, -ers)


TEXT: Final = TextNumbers()
PRINT: Final = PrintNumbers()
