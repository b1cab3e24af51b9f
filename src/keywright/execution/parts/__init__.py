"""Inputs of any size, part by part: results of a part are one file, written whole, and a repeated run does the rest."""
