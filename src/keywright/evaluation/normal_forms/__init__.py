"""Normal forms under which phrases are compared: one file per reference scorer."""
