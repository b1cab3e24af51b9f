"""Leave one collection out: the default on collections that no part of it was trained on, beside other systems."""
