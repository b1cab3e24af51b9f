"""Pictures: an element for pages, and files that stand alone."""

from xml.etree import ElementTree as ET

from keywright.core.pages import Picture, open_figure


def picture(title="a < b"):
    with open_figure(2.0) as (drawn, axes):
        axes.plot([0, 1], [0, 1])
        return Picture(title, "line", drawn)


def test_files_stand_alone_and_are_the_same_each_time():
    root = ET.fromstring(picture().svg())  # noqa: S314  (our own file)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text == "a < b"
    assert picture().png().startswith(b"\x89PNG")
    assert (picture().svg(), picture().png()) == (picture().svg(), picture().png())


def test_elements_escape_titles_and_name_their_ids():
    element = picture().inlined()
    assert element.startswith("<svg ")
    assert "a &lt; b" in element
    assert "xmlns" not in element
    assert 'id="line-figure_1"' in element
