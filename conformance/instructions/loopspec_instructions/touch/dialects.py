"""The answers of each tool to the questions about touch."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ..answers import questions_in, tools_in, values_in

_HERE = Path(__file__).parent
touch_questions = partial(questions_in, _HERE)
touch_dialects = partial(tools_in, _HERE)
touch_values = partial(values_in, _HERE)
