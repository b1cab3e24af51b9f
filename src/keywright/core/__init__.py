"""Values and interfaces: everything the other rooms exchange, and nothing that does work."""
