"""Makes the page of some reports: one HTML file that loads nothing, the same for the same reports."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources

from markupsafe import Markup

from ...reports.account import Account
from ..rules import PageRule, rules
from ..theme import environment, theme
from .contents import Contents
from .details import detail, key_of
from .evidence import limit_for

_FILES = resources.files("loopspec.pages.report")

# Characters that cannot be seen or that move others: control characters, marks that change the direction, surrogates,
# and code points that are no characters.
_UNSEEN = re.compile(
    "[\0-\b\v-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)


def render(accounts: Sequence[Account]) -> str:
    """Make the page of some reports about the features in use."""
    return page_of(accounts, rules())


def page_of(implementations: Sequence[Account], rules: Mapping[str, PageRule]) -> str:
    """Make the page of some reports about these rules."""
    contents = Contents(implementations, rules)
    # Our own: nothing to escape.
    style = theme() + Markup(_read("page.css").replace("COLUMNS", str(max(1, len(implementations)))))
    script = Markup(_read("page.js"))
    jinja = environment("loopspec.pages.report")
    jinja.globals |= {"keys": [key_of(number) for number in range(len(implementations))]}
    opened = jinja.get_template("rule.html")
    limit = limit_for(line for one in implementations for line in one.lines)
    details = {
        rule: visible(opened.render(it=detail(contents, rule, limit), contents=contents)) for rule in contents.rows
    }
    page = jinja.get_template("page.html").render(
        contents=contents,
        # compressed, since most of it repeats, and in base64, so that nothing in it is HTML
        details=Markup(b64encode(zlib.compress(json.dumps(details).encode(), 6)).decode()),
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; form-action 'none'; "
        "base-uri 'none'",
    )
    return visible(page)


def visible(text: str) -> str:
    """A text with everything that cannot be seen written out, as in `\\u202e`. HTML stays the same HTML."""
    return _UNSEEN.sub(_written_out, text)


def _written_out(hit: re.Match[str]) -> str:
    number = ord(hit[0])
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _read(name: str) -> str:
    return (_FILES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
