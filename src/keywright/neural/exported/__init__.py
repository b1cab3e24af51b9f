"""Exported generators: run by onnxruntime and numpy, without torch."""
