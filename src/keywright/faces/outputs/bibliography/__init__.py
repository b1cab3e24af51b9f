"""Keyphrases as bibliographic records: BibTeX, RIS, CSL-JSON, JSON-LD, Turtle, MARC, JATS and Dublin Core."""
