"""Languages of pairs."""

from keywright.summaries.pairs import Pair, SummaryText, add_languages, find_main_script

ENGLISH = "The moon moves the sea and the tides of the sea are the work of the moon."
FRENCH = "La lune est dans le ciel et les marées sont le travail de la lune avec la mer."


def pair(summary: str, reference: str, language: str | None = None) -> Pair:
    return Pair("t", "s", SummaryText(summary, language=language), (SummaryText(reference),))


def languages(*arguments: str, language: str | None = None) -> tuple[str | None, str | None, tuple[str, ...]]:
    spoken = next(add_languages([pair(*arguments)], language))
    return spoken.summary.language, spoken.references[0].language, spoken.notes


def test_the_reference_decides_for_a_short_summary() -> None:
    assert languages("Tides.", FRENCH) == ("fr", "fr", ())


def test_a_named_language_is_taken() -> None:
    assert languages("Tides.", ENGLISH, language="de") == ("de", "de", ())
    assert next(add_languages([pair("Tides.", ENGLISH, "nl")])).references[0].language == "nl"


def test_other_letters_and_other_languages_are_noted() -> None:
    assert languages("القرى العالية", "Tides.")[2] == ("the summary is in Arabic letters, other texts in Latin ones",)
    assert languages(FRENCH, ENGLISH)[2] == ("the summary seems to be in 'fr', other texts in 'en'",)


def test_the_script_is_that_of_most_letters() -> None:
    assert (find_main_script("abc д 1"), find_main_script("1 2")) == ("Latin", "")
