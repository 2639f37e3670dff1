"""Instruction files that tools attach on touch: when their model reads, edits, lists or searches a file below.

`questions.toml` has the questions with their values, and `tools` has a file for each measured tool.
"""
