"""Agreement of evaluators with each other and with people: correlation, intervals, tests, and rankings of systems."""
