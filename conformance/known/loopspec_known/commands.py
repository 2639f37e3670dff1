"""The commands of the known implementations."""

from __future__ import annotations

from pathlib import Path

from loopspec.cli.command import TEST, Command, Parser


def _known(parser: Parser) -> None:
    does = parser.add_mutually_exclusive_group()
    does.add_argument(
        "--table", action="store_true", help="judge all of the results page, and compare them with those that ship"
    )
    does.add_argument("--summary", metavar="NAME@VERSION", help="judge a version, and print the verdict on each rule")
    does.add_argument(
        "--witness",
        nargs="+",
        metavar=("NAME", "CAUSE"),
        help="perform the programs that show known differences without loopspec; CAUSE: only these, with the output",
    )
    does.add_argument("--assessment", metavar="NAME", help="print what is known about an implementation (Markdown)")
    does.add_argument("--remove", metavar="NAME|all", help="remove environments from the cache; NAME@VERSION: only one")
    parser.add_argument("--write", type=Path, metavar="FILE", help="with --table: write the results (JSON)")


KNOWN = Command(
    "known",
    TEST,
    "list the implementations that `known:NAME` judges",
    "loopspec_known.command:known_command",
    _known,
    {
        "loopspec known": "Lists the implementations with an adapter, and their versions.",
        "loopspec known --summary langchain@1.2.18": "Judges a version, and prints the verdict on each rule.",
        "loopspec known --witness langchain": "Performs a program for each cause of a known difference.",
        "loopspec known --assessment langchain": "Prints the results with their causes, as a page for the maintainers.",
        "loopspec known --remove all": "Removes the environments from the cache.",
    },
)
