"""SemEval-2010 Task 5 reproduced: data, annotators, baselines and all systems."""
