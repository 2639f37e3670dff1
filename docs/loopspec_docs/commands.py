"""The commands of the documentation."""

from __future__ import annotations

from pathlib import Path

from loopspec.cli.command import READ, Command, Parser


def _docs(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder, or one that it wrote before")


DOCS = Command(
    "docs",
    READ,
    "write the specification as a static site",
    "loopspec_docs.command:docs",
    _docs,
    {"loopspec docs site": "Writes this site into the folder `site`."},
)
