"""Pages of Markdown that ship with the kit: the guide, the page of the protocol, and the results of tools."""

from __future__ import annotations

from functools import cache
from importlib import resources

from loopspec.contract.specification import adapters_root
from loopspec.protocol.schema import page

from .markdown import Written, written

_GUIDE = resources.files("loopspec") / "guide"
PAGES = (
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
    "lint-instruction-files",
)
# What a link of such a page can lead to: its path in the kit, and the address in the site.
_ADDRESSES = {
    **{f"guide/{name}.md": f"guide/{name}.html" for name in PAGES},
    "protocol/README.md": "protocol.html",
    "../known/loopspec_known/results.json": "results.html",
    "../../features/dialects": "dialects.html",
    "../instructions/loopspec_instructions/linting/rules.toml": "lint.html#each",
    "../instructions/loopspec_instructions/linting/tools.toml": "lint.html#tools",
}


@cache
def guide() -> dict[str, Written]:
    """The pages of the guide by their names."""
    addresses = {path: f"../{address}" for path, address in _ADDRESSES.items()}
    return {name: written(_text(name), addresses, "guide") for name in PAGES}


def _text(name: str) -> str:
    return (_GUIDE / f"{name}.md").read_text(encoding="utf-8")


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
