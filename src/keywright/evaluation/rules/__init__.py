"""The rules that a protocol is made of."""
