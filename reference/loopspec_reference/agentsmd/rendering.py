"""The text that a model receives for the loaded files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..values.language import Language, get_language
from .loader import Section


class _Wording(NamedTuple):
    header: str
    heading: str
    footer: str


# The wording is ours, except for the English heading, which the document fixes (AMD-FORMAT-03).
_WORDINGS: dict[Language, _Wording] = {
    "en": _Wording(
        "The project and its user have written these instructions. Follow them to the letter; where they differ "
        "from what you would do by default, they decide.",
        "File content: {path} (instructions):",
        "Not everything above need concern the task at hand. Leave what does not concern it unmentioned.",
    ),
    "zh": _Wording(
        "以下是本项目及其用户写给你的指令。请逐条遵守；若与你的默认做法不一致，以这些指令为准。",
        "文件内容：{path}（指令）：",
        "以上内容不一定都与当前任务有关；无关之处，请不要提及。",
    ),
}


def render(sections: Sequence[Section]) -> str:
    """Return the text for these files in the current language; empty without files.

    The contents are unchanged and unescaped, each followed by one line end (AMD-FORMAT-05, -11, -15).
    """
    if not sections:
        return ""
    wording = _WORDINGS[get_language()]
    lines = ["<system-reminder>", wording.header]
    for section in sections:
        lines += ["", wording.heading.replace("{path}", section.path), "", section.text]
    lines += [wording.footer, "</system-reminder>"]
    return "\n".join(lines)
