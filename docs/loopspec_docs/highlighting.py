"""Source code and console text with colors, as spans of a few classes that the style sheet knows."""

from __future__ import annotations

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers.configs import TOMLLexer
from pygments.lexers.python import PythonLexer
from pygments.lexers.shell import BashLexer
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


_LEXERS: dict[str, type[Lexer]] = {"python": PythonLexer, "sh": BashLexer, "toml": TOMLLexer}


def highlighted(source: str, language: str = "python") -> Markup:
    """Mark the strings, the comments, the keywords and the defined names of a source.

    The text of an unknown language has no marks.
    """
    lexer = _LEXERS.get(language)
    if lexer is None:
        return escape(source)
    parts: list[Markup] = []
    for kind, text in lexer(stripnl=False, ensurenl=False).get_tokens(source):
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
