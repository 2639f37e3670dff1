"""The parts that pages of Markdown are made of. A text is escaped: it stays what it is in a line, a cell and a tag."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping

from loopspec.pages import rules

_SPECIAL = str.maketrans({"&": "&amp;", **{sign: f"&#{ord(sign)};" for sign in '\\`*_{}[]<>|~#"'}})
_ID = re.compile(r"(`[^`]+`)|\b([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d\d)\b")


def plain(text: str) -> str:
    """A text without any markup."""
    return " ".join(text.split()).translate(_SPECIAL)


def code(text: str) -> str:
    """A text as code."""
    return f"<code>{text.translate(_SPECIAL)}</code>" if text else ""


def coded(text: str) -> str:
    """A text in which `backticks` are code."""
    return "".join(code(part) if n % 2 else part.translate(_SPECIAL) for n, part in enumerate(text.split("`")))


def linked(text: str, top: str, own: str = "") -> str:
    """A text in which `backticks` are code, and every rule that it names is a link. `top` leads to the first page."""
    parts, at = [], 0
    for hit in _ID.finditer(text):
        if hit[1] or (hit[2] in rules() and hit[2] != own):
            parts += [_part(text[at : hit.start()]), code(hit[1][1:-1]) if hit[1] else of_rule(hit[2], top)]
            at = hit.end()
    return "".join([*parts, _part(text[at:])])


def _part(text: str) -> str:
    """A part of a text, with its blanks."""
    return text.translate(_SPECIAL)


def link(text: str, address: str) -> str:
    """A link as HTML, which a page may have in a line, a cell and a tag."""
    return f'<a href="{address.translate(_SPECIAL)}">{text}</a>'


def of_rule(rule: str, top: str) -> str:
    """The id of a rule as a link to the rule; a site of other features may lack the rule."""
    return link(rule, top + rules()[rule].address) if rule in rules() else rule


def of_rules(names: Iterable[str], top: str) -> str:
    """The ids of rules as links."""
    return " ".join(of_rule(name, top) for name in names)


def anchor(name: str) -> str:
    """A place that a link can lead to."""
    return f'<span id="{name}"></span>'


def chip(text: str, kind: str = "") -> str:
    """A short label with the color of its kind."""
    return f'<span class="chip {kind or text}">{text}</span>'


def heading(level: int, text: str, name: str) -> str:
    """A heading with its anchor."""
    return f"{'#' * level} {text} {{ #{name} }}"


def items(texts: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {text}" for text in texts)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table, which scrolls where the page is too narrow."""
    head = [*head]
    lines = [f"| {' | '.join(cell or ' ' for cell in row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines)


def matrix(name: str, head: Iterable[str], groups: Iterable[str], label: str) -> str:
    """A large table as HTML, whose first column and head stay in view. `groups` are its bodies."""
    cells = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(f"<tbody>{group}</tbody>" for group in groups)
    start = f'<div class="matrix" tabindex="0" role="group" aria-label="{label}"><table id="{name}">'
    return f"{start}<thead><tr>{cells}</tr></thead>{body}</table></div>"


def fence(text: str, language: str = "text") -> str:
    """A source with the colors of its language."""
    mark = "~" * (4 + text.count("~~~~"))
    return f"{mark} {language}\n{text.rstrip()}\n{mark}"


def folded(title: str, *parts: str) -> str:
    """Parts that a reader opens."""
    body = "\n\n".join(filter(None, parts))
    return f'<details markdown="1">\n<summary>{title}</summary>\n\n{body}\n\n</details>'


def page(*parts: str, **front: str) -> str:
    """A page of its parts, without the empty ones."""
    above = "".join(f"{key}: {value}\n" for key, value in front.items())
    return (f"---\n{above}---\n\n" if above else "") + "\n\n".join(filter(None, parts)) + "\n"


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def slug(text: str) -> str:
    """A text as part of an address: letters, digits and hyphens."""
    flat = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", flat.lower().replace("@", " at ")).strip("-")


# The languages of a written page that have a lexer of another name.
_LANGUAGES: Mapping[str, str] = {"sh": "bash", "js": "javascript"}
_PARTS = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(`[^`\n]+`)|\[([^\]]*)\]\(([^)\s]+)\)|(<)")


def written(text: str, addresses: Mapping[str, str], folder: str = "") -> str:
    """A page that is written in Markdown, with the links of the site.

    `addresses` has the address of what a link can lead to, by its path; `folder` is that of the page. A link to
    anything else of the repository becomes text: the site does not have it. HTML in the text stays text, and comments
    are left out.
    """

    def address(target: str) -> str | None:
        path, mark, part = target.partition("#")
        at = posixpath.normpath(posixpath.join(folder, path))
        found = addresses.get(at)
        return addresses.get(f"{at}{mark}{part}", found and f"{found}{mark}{part}")

    def replaced(hit: re.Match[str]) -> str:
        if hit[1]:
            return hit[1]
        if hit[4]:
            return "&lt;"
        to = hit[3] if hit[3].startswith(("https:", "#")) else address(hit[3])
        return f"[{hit[2]}]({to})" if to else hit[2]

    parts = _PARTS.split(re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE | re.DOTALL))
    for number, part in enumerate(parts):
        if number % 2:
            language, _, body = part.removeprefix("```").removesuffix("```").partition("\n")
            parts[number] = fence(body, _LANGUAGES.get(language, language) or "text")
        else:
            spaced = re.sub(r"(?m)^(?![-|]|\d+\. |\s|$)(.+)\n(?=(?:- |\d+\. |\|))", r"\1\n\n", part)
            parts[number] = _LINK.sub(replaced, spaced)
    return "".join(parts)
