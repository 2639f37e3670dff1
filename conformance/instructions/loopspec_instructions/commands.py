"""The commands of instruction files."""

from __future__ import annotations

from pathlib import Path

from loopspec.cli.command import READ, Command, Parser


def _show(parser: Parser) -> None:
    parser.add_argument(
        "path", nargs="?", type=Path, metavar="PATH", help="a file, or a folder with an AGENTS.md (the current one)"
    )
    parser.add_argument(
        "--as",
        dest="read_as",
        metavar="all|DIALECT",
        help="what this coding agent reads when it starts in the folder; all: a table of them",
    )
    parser.add_argument("--home", type=Path, metavar="FOLDER", help="with --as: the home folder (your own)")
    parser.add_argument(
        "--root", type=Path, metavar="FOLDER", help="the folder that reads are confined to (the file's)"
    )
    parser.add_argument("--max-bytes", type=int, default=0, metavar="N", help="the byte limit (0: none)")
    parser.add_argument("--language", choices=["en", "zh"], help="the language of the text")


def _lint(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="the repository (the current folder)")
    parser.add_argument(
        "--as",
        dest="read_as",
        action="append",
        default=[],
        metavar="all|DIALECT",
        help="read the files as this coding agent does; default: those in loopspec.toml, or those that the files mean",
    )
    parser.add_argument(
        "--format", choices=["text", "json", "sarif", "github"], default="text", help="the form of the output (text)"
    )


SHOW = Command(
    "show",
    READ,
    "print the instructions that an agent receives for a folder",
    "loopspec_instructions.show_command:show",
    _show,
    {
        "loopspec show": "Prints what an agent receives for the AGENTS.md of the current folder.",
    },
)

LINT = Command(
    "lint",
    READ,
    "find what goes wrong with the instruction files of a repository",
    "loopspec_instructions.lint_command:lint",
    _lint,
    {
        "loopspec lint": "Lints the current folder, as the tools read it that its files mean.",
        "loopspec lint --as claude-code --as codex": "Lints the folder for two tools.",
        "loopspec lint --format sarif": "Prints the findings for a code-scanning service.",
    },
)
