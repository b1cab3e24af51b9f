"""Write ``examples/article.docx``: run it again after changing the text below."""

import datetime as dt
from pathlib import Path

import docx

TITLE = "Predicting Failures of Lift Doors from Motor Currents"
KEYWORDS = "predictive maintenance; lift doors; motor current; anomaly detection"
TEXT = """
# Abstract

Doors cause two thirds of all lift failures. We predict failures of lift doors from the motor current that every door
drive measures anyway. A model of the normal current is learned for each door, and deviations from it raise an alarm. On
310 lifts and 14 months the method announced 71 percent of the door failures at least three days ahead, with one false
alarm per lift and year.

# 1. Introduction

Maintenance by the calendar replaces parts that are still good and misses parts that fail early. Predictive maintenance
needs a signal that tells of wear. The motor current of a door drive grows with friction, and friction grows with dirt
in the sill, worn rollers and bent panels.

# 2. Method

## 2.1 Normal current

Each movement of a door gives a curve of the motor current over its position. The mean curve and its variance are
learned from the first thousand movements after an inspection.

| Movements | 1,000

^ Figure 1: Motor current of a clean and of a dirty door sill.

## 2.2 Anomaly detection

Anomaly detection compares each curve with the normal current by the Mahalanobis distance. An alarm is raised when the
distance stays above its threshold for a hundred movements.

# 3. Conclusion

The motor current suffices for predictive maintenance of lift doors; no other sensor is needed.

# References

Keller, U. Why lifts stop. Vertical Transport, 2015.
"""
STYLES = {"#": "Heading 1", "##": "Heading 2", "^": "Caption"}


def main() -> None:
    """Write the file beside the other examples."""
    file = docx.Document()
    file.add_heading(TITLE, level=0)
    for paragraph in TEXT.strip().split("\n\n"):
        mark, _, rest = paragraph.replace("\n", " ").partition(" ")
        if mark == "|":
            cells = rest.split(" | ")
            row = file.add_table(rows=1, cols=len(cells)).rows[0]
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        elif mark in STYLES:
            file.add_paragraph(rest, style=STYLES[mark])
        else:
            file.add_paragraph(f"{mark} {rest}")
    properties = file.core_properties
    properties.title, properties.keywords, properties.author, properties.language = TITLE, KEYWORDS, "keywright", "en"
    properties.created = properties.modified = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    file.save(str(Path(__file__).parents[2] / "examples" / "article.docx"))


if __name__ == "__main__":
    main()
