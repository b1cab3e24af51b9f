"""Run files of other tools, recognised by their content and read into ranked lists."""
