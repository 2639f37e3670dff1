"""Colors of examples and changes, for the docs tool. Its own lexers take longer: that of Gherkin reads characters."""

from __future__ import annotations

import re
from html import escape

# By the names of the classes that the docs tool has colors for: lines of changes, then keywords, tags and values.
_PARTS = re.compile(
    r"(?m)(?P<gd>^- .*$)|(?P<gi>^\+ .*$)|(?P<nt>^ *@.*$)"
    r"|(?P<k>^ *(?:Background:|Scenario:|Scenario Outline:|Examples:|Given |When |Then |And |But ))"
    r'|(?P<s>"""[\s\S]*?"""|"[^"\n]*"|(?<=\|)[^|\n]+(?=\|))'
)


def colored(source: str, *_: object, **_options: object) -> str:
    """A source as HTML."""
    marked = _PARTS.sub(lambda hit: f'<span class="{hit.lastgroup}">{hit[0]}</span>', escape(source, quote=False))
    return f'<div class="highlight"><pre><code>{marked}</code></pre></div>'
