"""Columns are recognised by the names that catalogues of several languages and programs give them."""

import pytest

from keywright.reading.tables.rows import Row, Rows, TableColumns, document_of_row, resolve_columns


@pytest.mark.parametrize(
    ("text", "title", "authors", "year", "journal"),
    [
        ("Abstract", "Title", "Authors", "Year", "Source title"),  # Scopus
        ("Abstract Note", "Title", "Author", "Publication Year", "Publication Title"),  # Zotero
        ("dc.description.abstract[de]", "dc.title[de]", "dc.contributor.author", "dc.date.issued", "journal"),  # DSpace
        ("Zusammenfassung", "Titel", "Verfasser", "Erscheinungsjahr", "Zeitschrift"),
        ("Résumé", "Titre", "Auteurs", "Année", "Revue"),
        ("RESUMEN", "TÍTULO", "AUTORES", "AÑO", "REVISTA"),
        ("Riassunto", "Titolo", "Autori", "Anno", "Rivista"),
        ("Resumo", "Título", "Autor", "Ano", "Revista"),
        ("Samenvatting", "Titel", "Auteur", "Jaar", "Tijdschrift"),
        ("Аннотация", "Название", "Авторы", "Год", "Журнал"),
        ("摘要", "标题", "作者", "年份", "期刊"),
        ("الملخص", "العنوان", "المؤلف", "السنة", "المجلة"),
    ],
)
def test_usual_names_are_recognised(text, title, authors, year, journal):
    names = (authors, title, year, journal, text, "Notes")
    columns, notes = resolve_columns(TableColumns(), Rows("t.csv", names, iter(())))
    assert columns.text == text
    assert dict(columns.cited) == {"title": title, "authors": authors, "year": year, "journal": journal}
    assert notes[0] == f"t.csv: texts are read from the column {text!r}"
    cells = dict(zip(names, ("Meier, Anna", "Kiln design", "1999", "Clay", "", "-"), strict=True))
    document = document_of_row(Row("t.csv:2", cells), columns)
    assert document.text == "Kiln design"
    assert document.meta == {"title": "Kiln design", "authors": "Meier, Anna", "year": "1999", "journal": "Clay"}


def test_named_columns_come_before_usual_ones():
    wanted = TableColumns("Text", cited=(("year", "Erschienen"), ("title", "Name")))
    columns, _ = resolve_columns(wanted, Rows("t.csv", ("Text", "Year", "Erschienen", "Title", "Name"), iter(())))
    assert dict(columns.cited) == {"year": "Erschienen", "title": "Name"}
