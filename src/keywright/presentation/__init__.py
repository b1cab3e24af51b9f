"""Tables, figures and pages for people: formats only, no scores."""
