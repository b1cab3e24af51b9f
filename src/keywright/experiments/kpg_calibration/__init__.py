"""The calibration study of neural keyphrase generators reproduced from its published predictions."""
