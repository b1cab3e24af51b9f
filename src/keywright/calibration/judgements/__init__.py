"""Each predicted phrase with its confidence and whether it is correct: the input of every measure and calibrator."""
