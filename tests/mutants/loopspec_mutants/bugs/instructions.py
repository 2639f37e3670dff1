"""Realistic bugs about the instruction of an agent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference.loop import agents
from loopspec_reference.values.instructions import render
from loopspec_reference.values.messages import Json

from ..registry import bug


@bug("INSTR-03")
def renders_session_values_as_templates() -> AbstractContextManager[object]:
    """Renders the placeholders that a session value contains."""

    def renders(instruction: str, session: Mapping[str, Json]) -> str:
        return render(instruction, {key: _rendered(value, session) for key, value in session.items()})

    return patch.object(agents, "render", renders)


def _rendered(value: Json, session: Mapping[str, Json]) -> Json:
    return render(value, session) if isinstance(value, str) else value


def _rendering(renders: Callable[[str, Mapping[str, Json]], str]) -> AbstractContextManager[object]:
    return patch.object(agents, "render", renders)


@bug("INSTR-03")
def renders_the_values_as_well() -> AbstractContextManager[object]:
    """Renders the session values in the instruction as well: it replaces one key after the other."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        filled = render(text, session)
        for key, value in session.items():
            filled = filled.replace(f"{{{key}}}", str(value))
        return filled if "{{" not in text else render(text, session)

    return _rendering(renders)


@bug("INSTR-03")
def takes_a_value_for_a_replacement_pattern() -> AbstractContextManager[object]:
    """Takes a backslash in a session value for an escape of the replacement pattern."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        escaped = {
            key: re.sub(r"\\(.)", r"\1", value) if isinstance(value, str) else value for key, value in session.items()
        }
        return render(text, escaped)

    return _rendering(renders)


@bug("INSTR-03")
def takes_an_empty_value_for_a_missing_one() -> AbstractContextManager[object]:
    """Fails for a key whose session value is empty or zero: `session.get(key) or fail()`."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        return render(text, {key: value for key, value in session.items() if value})

    return _rendering(renders)


@bug("INSTR-05")
def strips_keys() -> AbstractContextManager[object]:
    """Ignores white space within the braces of a key."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        return render(re.sub(r"(?<!\{)\{\s+([^{}\s]+)\s*\}|(?<!\{)\{([^{}\s]+)\s+\}", r"{\1\2}", text), session)

    return _rendering(renders)


@bug("INSTR-05")
def ignores_the_case_of_keys() -> AbstractContextManager[object]:
    """Finds a session value under a key that differs in case."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        folded = {key.lower(): value for key, value in session.items()}
        return render(text, {**session, **{m: folded[m.lower()] for m in _keys(text) if m.lower() in folded}})

    return _rendering(renders)


@bug("INSTR-05")
def leaves_empty_braces() -> AbstractContextManager[object]:
    """Leaves empty braces in the instruction as they are."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        return render(re.sub(r"(?<!\{)\{\}(?!\})", "{{}}", text), session)

    return _rendering(renders)


@bug("INSTR-05")
def takes_a_shorter_key() -> AbstractContextManager[object]:
    """Finds the session value of a key that the key in braces begins with, if there is none under the whole key."""

    def renders(text: str, session: Mapping[str, Json]) -> str:
        found = dict(session)
        for key in _keys(text):
            shorter = [one for one in session if key.startswith(one)]
            if key not in session and shorter:
                found[key] = session[shorter[0]]
        return render(text, found)

    return _rendering(renders)


def _keys(text: str) -> list[str]:
    return re.findall(r"\{([^{}]*)\}", text)
