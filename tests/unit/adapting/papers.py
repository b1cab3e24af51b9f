"""Small labelled texts in which people choose what authors of papers would not: who reported, and where."""

import json
from pathlib import Path

PEOPLE = ("Anna Berg", "Omar Haddad", "Lena Vogt", "Piet Visser", "Ida Holm", "Joan Marsh", "Karl Rossi")
TOWNS = ("Lindau", "Tromso", "Aveiro", "Utrecht", "Bergen")
THINGS = ("rain garden", "noise map", "wind turbine", "peat bog", "salt marsh", "street lamp")


def record(number: int) -> dict[str, object]:
    """A report on one of the things, by one of the people, in one of the towns."""
    person, town, thing = (names[number % len(names)] for names in (PEOPLE, TOWNS, THINGS))
    text = (
        f"Care of a {thing}\n\nThe {thing} was watched for {number + 3} days. Each {thing} needs repair after a storm, "
        f"and repair of a {thing} is slow. Walkers near {town} wrote letters about birds. Weather decides how long the "
        f"{thing} lasts, and nobody pays for repair. {person} reports from {town}."
    )
    return {"id": f"report {number}", "text": text, "keyphrases": [person, town]}


def written(folder: Path, number: int = 30) -> Path:
    """So many of them as a file."""
    path = folder / "reports.jsonl"
    path.write_text("".join(json.dumps(record(one)) + "\n" for one in range(number)))
    return path
