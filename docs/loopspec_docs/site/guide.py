"""Pages of Markdown that ship with the kit: the course, the guide, the protocol, and the results of tools."""

from __future__ import annotations

import posixpath
from functools import cache
from importlib import resources

from loopspec.contract.specification import adapters_root
from loopspec.pages import rules
from loopspec.protocol.schema import page

from .markdown import Written, written
from .navigation import COURSE

_GUIDE = resources.files("loopspec") / "guide"
PAGES = (
    "why-a-suite-like-this",
    "what-conformant-means",
    "how-the-harness-cannot-be-fooled",
    "how-a-rule-is-born",
    "write-an-adapter-in-python",
    "write-an-agent-adapter",
    "write-an-adapter-in-any-language",
    "judge-a-handler",
    "test-your-backend",
    "which-instruction-files-does-each-tool-read",
    "verdicts-and-baselines",
    "postures",
    "variants-and-invariants",
    "reports-and-ci",
    "find-differences-between-two-agents",
    "judge-known-implementations",
    "what-an-adapter-may-do",
    "lint-instruction-files",
    "is-this-session-broken",
    "what-users-report",
    "when-a-process-dies",
)
# What a link of such a page can lead to: its path in the kit, and the address in the site.
_ADDRESSES = {
    **{f"guide/{name}.md": f"guide/{name}.html" for name in PAGES},
    **{f"guide/course/{name}.md": f"course/{name}.html" for name in COURSE},
    **{f"../../features/{rule.file}#{rule.id}": rule.address for rule in rules().values()},
    "../../examples/openai_compatible.py": "examples/openai_compatible.html",
    "../../features/museum.toml": "museum.html",
    "protocol/README.md": "protocol.html",
    "../known/loopspec_known/results.json": "results.html",
    "../../features/dialects": "dialects.html",
    "../instructions/loopspec_instructions/linting/rules.toml": "lint.html#each",
    "../instructions/loopspec_instructions/linting/tools.toml": "lint.html#tools",
}


@cache
def guide() -> dict[str, Written]:
    """The pages of the course and of the guide by their addresses."""
    addresses = {path: f"../{address}" for path, address in _ADDRESSES.items()}
    files = {f"course/{name}.html": f"course/{name}.md" for name in COURSE}
    files |= {f"guide/{name}.html": f"{name}.md" for name in PAGES}
    return {
        address: written((_GUIDE / file).read_text(encoding="utf-8"), addresses, posixpath.dirname(f"guide/{file}"))
        for address, file in files.items()
    }


@cache
def instruction_tools() -> Written:
    """The results of the tools that read instruction files, each in its own dialect."""
    text = (adapters_root() / "instruction_files.md").read_text(encoding="utf-8")
    return written(text, {"../features/dialects": "../dialects.html"}, "adapters")


@cache
def stores() -> Written:
    """The results of the stores, which are judged as backends."""
    return written((adapters_root() / "stores" / "results.md").read_text(encoding="utf-8"), {}, "adapters/stores")


@cache
def protocol_page() -> Written:
    """The page of the protocol, as `loopspec protocol --page` prints it."""
    return written(page(), _ADDRESSES, "protocol")
