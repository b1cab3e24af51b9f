"""The addresses of Annif's REST API, so that its clients work unchanged: subjects of vocabularies with URIs."""
