"""Subtitles: the spoken text, once."""

from pathlib import Path

import pytest

from keywright.core.errors import EmptyInput
from keywright.reading.formats.subtitles import read_subtitles
from keywright.reading.limits import Limits

FIXTURES = Path(__file__).parent / "fixtures"
LIMITS = Limits()


def test_web_subtitles_that_roll():
    document = read_subtitles((FIXTURES / "talk.vtt").read_bytes(), "talk.vtt", LIMITS)
    spoken = "the heat pump is filled with brine & water and then it freezes."
    assert document.text == f"{spoken}\n\nLater it thaws."
    assert document.language == "en"
    assert document.warnings == ("left out: 1 description of a sound",)


def test_subtitles_with_tags_speakers_and_sounds():
    document = read_subtitles((FIXTURES / "talk.srt").read_bytes(), "talk.srt", LIMITS)
    assert document.text == "The heat pump is cold. Yes, brine. No."


@pytest.mark.parametrize(
    ("cues", "text"),
    [
        ("00:01.000 --> 00:02.000\nHeat\n\n00:02.000 --> 00:03.000\nHeat pump\n", "Heat pump"),
        ("00:01.000 --> 00:02.000\nHeat\n00:02.000 --> 00:03.000\npump", "Heat pump"),
        ("00:01.000 --> 00:02.000\n3 < 4 and 5\n", "3 < 4 and 5"),
        ("00:01.000 --> 00:02.000\n♪ la la ♪\n\n00:03.000 --> 00:04.000\nBrine --> water\n", "la la Brine --> water"),
    ],
)
def test_cues(cues: str, text: str):
    assert read_subtitles(f"WEBVTT\n\n{cues}".encode(), "a.vtt", LIMITS).text == text


def test_no_speech():
    with pytest.raises(EmptyInput):
        read_subtitles(b"WEBVTT\n\n00:01.000 --> 00:02.000\n[Music]\n", "a.vtt", LIMITS)
