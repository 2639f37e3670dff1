"""Python and console text with colors, as spans of a few classes that the style sheet knows."""

from __future__ import annotations

from markupsafe import Markup, escape
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

# The first that holds counts.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (String.Doc, "note"),
    (Comment, "note"),
    (String, "string"),
    (Number, "string"),
    (Keyword, "word"),
    (Operator.Word, "word"),
    (Name.Decorator, "word"),
    (Name.Function, "name"),
    (Name.Class, "name"),
)


def highlighted(source: str) -> Markup:
    """Mark the strings, the comments, the keywords and the defined names of a Python source."""
    parts: list[Markup] = []
    for kind, text in PythonLexer(stripnl=False).get_tokens(source):
        name = next((name for token, name in _CLASSES if kind in token), "")
        parts.append(Markup('<span class="{}">{}</span>').format(name, text) if name and text.strip() else escape(text))
    return Markup("").join(parts)


def session(text: str) -> Markup:
    """Mark the commands of a console session, which begin with `$`."""
    lines = [
        Markup('<span class="word">{}</span>').format(line) if line.startswith("$ ") else escape(line)
        for line in text.splitlines()
    ]
    return Markup("\n").join(lines)
