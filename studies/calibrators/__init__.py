"""The study of calibrators: calibration error of each method, by number of labelled documents."""
