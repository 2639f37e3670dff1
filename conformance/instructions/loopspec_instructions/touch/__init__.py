"""Instruction files that tools attach on touch: when their model reads, edits, lists or searches a file below.

`questions.toml` has the questions with their values, and `tools` has a file for each measured tool.
"""

from ..answers import touch_dialects, touch_questions, touch_values
from .reader import VERBS, Attached, Touch, TouchReader, Verb

__all__ = ["VERBS", "Attached", "Touch", "TouchReader", "Verb", "touch_dialects", "touch_questions", "touch_values"]
