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
        help="what this coding agent reads when it starts in the folder; A,B: a table; all: the user's tools first",
    )
    parser.add_argument("--against", metavar="DIALECT", help="with --as: the difference to what this tool reads")
    parser.add_argument(
        "--at", metavar="REV", help="with --as: read the files of this commit; REV..REV: the difference of two commits"
    )
    parser.add_argument(
        "--after",
        action="append",
        metavar="VERB:PATH",
        help="with --as: what the model receives on touch (read, edit, list, search, print); several in order",
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
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--format", choices=["text", "json", "sarif", "github"], default="text", help="the form of the output (text)"
    )
    for name in ("json", "sarif"):
        form.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=f"as --format {name}")
    parser.add_argument(
        "--fail-on",
        choices=["error", "warning", "note"],
        default="error",
        help="the lowest level of a finding that makes the command fail (error)",
    )
    parser.add_argument("--fix", action="store_true", help="print a diff of what is safe to mend, and write the files")


SHOW = Command(
    "show",
    READ,
    "print the instructions that an agent receives for a folder",
    "loopspec_instructions.show_command:show",
    _show,
    {
        "loopspec show": "Prints what an agent receives for the AGENTS.md of the current folder.",
        "loopspec show --as all": "Prints a table of files and tools: the user's tools first.",
        "loopspec show --as codex --against claude-code": "Prints the difference between two tools.",
        "loopspec show --as opencode --after read:src/a.py": "Prints what reading a file adds for the model.",
        "loopspec show --as codex --at main..HEAD": "Prints what a branch changes for Codex.",
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
        "loopspec lint --fix": "Prints a diff, mends what is safe to mend, and prints the findings that are left.",
    },
)
