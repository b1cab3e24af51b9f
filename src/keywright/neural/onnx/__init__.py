"""Generators as ONNX: exported with torch, run by onnxruntime and numpy without it."""
