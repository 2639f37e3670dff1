"""One SKILL.md: the name and the description that a tool takes from it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..answers import questions
from ..reader.files import Files
from ..reader.roots import parent
from .front_matter import Field, FrontMatter, front_matter

FILE = "SKILL.md"
_MOST_BYTES = 1 << 22
_LONGEST_NAME = 64
_REPLACED = re.compile(r'[:\\/<>*?"|]')
_NAMES = {"letters": re.compile(r"[\w:.-]+"), "strict": re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")}


def parsed(files: Files, path: str, values: Mapping[str, str]) -> tuple[str, str, bool] | str:
    """The name, the description and whether it is cut, or else why the tool does not list the file.

    A file of another name without front matter is no skill: it has no reason.
    """
    try:
        data = files.read(path, _MOST_BYTES).data
    except OSError:
        return "unreadable"
    try:
        text = data.decode(errors="replace" if values["bad-bytes"] == "replaced" else "strict")
    except UnicodeDecodeError:
        return "ends" if values["bad-bytes"] == "ends" else "not-utf-8"
    if values["byte-order-mark"] == "removed":
        text = text.removeprefix("\ufeff")
    head = front_matter(text, is_exact=values["opening-line"] == "exact")
    if head is None and values["no-front-matter"] == "skipped":
        return "no-front-matter" if path.endswith(f"/{FILE}") else ""
    head = head or FrontMatter({}, text)
    if any(values[fault] == "skipped" for fault in head.faults):
        return "malformed"
    folder = parent(path).rpartition("/")[2] if path.endswith(f"/{FILE}") else path.rpartition("/")[2][:-3]
    name = _name(folder, head.fields.get("name"), values)
    if why := _refused(name, folder, values):
        return why
    if values["name-characters"] == "replaced":
        name = _REPLACED.sub("-", name)
    description = _description(head, values)
    if description is None:
        return "no-description"
    if head.fields.get("disable-model-invocation", Field("")).text == "true" and values["disabled"] == "hidden":
        return "disabled"
    most = questions()["long-description"].values[values["long-description"]].number or len(description)
    return name, description[:most], len(description) > most


def _name(folder: str, field: Field | None, values: Mapping[str, str]) -> str:
    """The name of a skill; "\\0" for a skill that has none."""
    if values["name-of"] == "folder":
        return folder
    if field and field.is_text and field.text:
        return field.text
    how = values["missing-name" if field is None else "number-name" if field.text else "empty-name"]
    return {"folder-name": folder, "skipped": "\0"}.get(how, field.text if field else "")


def _refused(name: str, folder: str, values: Mapping[str, str]) -> str:
    """Why a tool refuses a name."""
    if name == "\0":
        return "no-name"
    if len(name) > _LONGEST_NAME and values["long-name"] == "skipped":
        return "long-name"
    if name != folder and values["other-name"] == "skipped":
        return "other-name"
    pattern = _NAMES.get(values["name-characters"])
    return "bad-name" if pattern and not pattern.fullmatch(name) else ""


def _description(head: FrontMatter, values: Mapping[str, str]) -> str | None:
    field = head.fields.get("description")
    if field is None or not field.text.strip():
        how = values["missing-description" if field is None else "empty-description"]
        if how == "first-line" and not (field and field.text):
            return next((line.strip() for line in head.body.splitlines() if line.strip() not in ("", "---")), "")
        return None if how == "skipped" or field is None else field.text
    if not field.is_text and values["number-name"] != "text":
        return None
    lines = field.text.splitlines()
    return {"joined": " ".join(lines), "first": lines[0]}.get(values["description-lines"], field.text)
