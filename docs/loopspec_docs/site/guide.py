"""Pages of Markdown that ship with the kit: the course, the guide, the protocol, and the results of tools."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from importlib import resources

from markupsafe import Markup

from loopspec.contract.specification import adapters_root
from loopspec.pages.rules import rules
from loopspec.protocol.schema import page as protocol

from .examples import programs
from .markdown import Page, fenced, rendered
from .navigation import COURSE

_GUIDE = resources.files("loopspec") / "guide"
# Without the file that a reader of the folder begins with.
_FILES = (file.name for file in _GUIDE.iterdir() if file.is_file() and file.name != "README.md")
PAGES = tuple(sorted(name.removesuffix(".md") for name in _FILES))


def _addresses() -> dict[str, str]:
    """What a link of such a page can lead to: its path in the kit, and the address in the site."""
    return {
        **{f"guide/{name}.md": f"guide/{name}.html" for name in PAGES},
        **{f"guide/course/{name}.md": f"course/{name}.html" for name in COURSE},
        **{f"../../features/{rule.file}#{rule.id}": rule.address for rule in rules().values()},
        "../../examples/README.md": "examples.html",
        **{f"../../examples/{one.name}.py": f"examples/{one.name}.html" for one in programs()},
        "protocol/README.md": "protocol.html",
        "../known/loopspec_known/results.json": "results.html",
        "../../features/dialects": "dialects.html",
        "../instructions/loopspec_instructions/linting/rules.toml": "lint.html#each",
        "../instructions/loopspec_instructions/linting/tools.toml": "lint.html#tools",
    }


def pages() -> Iterator[Page]:
    """Make every such page."""
    above = {path: f"../{address}" for path, address in _addresses().items()}
    files = {f"course/{name}.md": f"course/{name}.md" for name in COURSE}
    files |= {f"guide/{name}.md": f"{name}.md" for name in PAGES}
    for at, file in files.items():
        yield at, written((_GUIDE / file).read_text(encoding="utf-8"), above, posixpath.dirname(f"guide/{file}"))
    yield rendered("protocol", text=Markup(written(protocol(), _addresses(), "protocol")))
    tools, stores = adapters_root() / "instruction_files.md", adapters_root() / "stores" / "results.md"
    dialects = {"../features/dialects": "../dialects.html"}
    yield "results/instruction-files.md", written(tools.read_text(encoding="utf-8"), dialects, "adapters")
    yield "results/stores.md", written(stores.read_text(encoding="utf-8"), {}, "adapters/stores")


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
            parts[number] = fenced(body, language or "text")
        else:
            spaced = re.sub(r"(?m)^(?![-|]|\d+\. |\s|$)(.+)\n(?=(?:- |\d+\. |\|))", r"\1\n\n", part)
            parts[number] = _LINK.sub(replaced, spaced)
    return "".join(parts)
