"""Export of trained generators to ONNX; needs torch, which exported generators do not."""
