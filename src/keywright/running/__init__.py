"""Running a system over many documents: same answer wherever and in how many pieces it runs."""
