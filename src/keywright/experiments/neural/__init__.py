"""The five generators of the calibration study, trained here at a small size."""
