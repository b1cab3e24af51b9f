"""Tables, figures and pages for readers: formats only, no scores."""
