"""Pages of Markdown that ship with the kit: the course, the guide, the protocol, and the results of tools."""

from __future__ import annotations

import posixpath
from importlib import resources

from loopspec.contract.specification import adapters_root
from loopspec.pages import rules
from loopspec.protocol.schema import page as protocol

from .examples import programs
from .markdown import written
from .navigation import COURSE

_GUIDE = resources.files("loopspec") / "guide"
# Without the file that a reader of the folder begins with.
_FILES = (file.name for file in _GUIDE.iterdir() if file.is_file() and file.name != "README.md")
PAGES = tuple(sorted(name.removesuffix(".md") for name in _FILES))
_MESSAGES = """
The page [Messages](messages.html) lists the methods and the fields of each message. The page is generated from the
[schema](schema.json).
"""


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


def pages() -> dict[str, str]:
    """Make every such page."""
    above = {path: f"../{address}" for path, address in _addresses().items()}
    files = {f"course/{name}.md": f"course/{name}.md" for name in COURSE}
    files |= {f"guide/{name}.md": f"{name}.md" for name in PAGES}
    made = {
        at: written((_GUIDE / file).read_text(encoding="utf-8"), above, posixpath.dirname(f"guide/{file}"))
        for at, file in files.items()
    }
    made["protocol.md"] = written(protocol(), _addresses(), "protocol") + _MESSAGES
    tools, stores = adapters_root() / "instruction_files.md", adapters_root() / "stores" / "results.md"
    dialects = {"../features/dialects": "../dialects.html"}
    made["results/instruction-files.md"] = written(tools.read_text(encoding="utf-8"), dialects, "adapters")
    made["results/stores.md"] = written(stores.read_text(encoding="utf-8"), {}, "adapters/stores")
    return made
