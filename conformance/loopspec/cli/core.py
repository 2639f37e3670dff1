"""The commands of the kit itself, each declared by the function that adds its options, and the parser of them all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

from .. import __version__
from ..contract.roles import ROLES
from .command import (
    READ,
    TARGET,
    TEST,
    WRITE,
    Command,
    Group,
    Parser,
    added_commands,
    calling,
    seconds,
    sub_command,
)

_MORE = "Options: `loopspec help COMMAND`. Completion: `loopspec completion SHELL`."

# In the order in which a new user needs them.
CORE: list[Command] = []


def _command(
    group: Group | None, says: str, examples: Mapping[str, str], does: str = ""
) -> Callable[[Callable[[Parser], None]], None]:
    """Declare the command that has the name of the decorated function, and by default does that of its module."""

    def declare(options: Callable[[Parser], None]) -> None:
        name = options.__name__.strip("_")
        CORE.append(Command(name, group, says, f"loopspec.cli.commands.{does or f'{name}:{name}'}", options, examples))

    return declare


def _target(parser: Parser) -> None:
    parser.add_argument("target", metavar="TARGET", help=TARGET)


def _timeout(parser: Parser, of: str = "deadline of one case (10)", default: float | None = 10.0) -> None:
    parser.add_argument("--timeout", type=seconds, default=default, metavar="SECONDS", help=of)


def _file(parser: Parser, name: str, says: str) -> None:
    parser.add_argument(name, type=Path, metavar="FILE", help=says)


@_command(
    TEST,
    "write a first adapter, a baseline and a CI job",
    {
        "loopspec init py": "Writes an adapter in Python into the current folder.",
        "loopspec init go adapter": "Writes an adapter in Go into the folder `adapter`.",
        "loopspec init py --role backend": "Writes an adapter for a store of files.",
        "loopspec init node --role agent": "Writes an adapter for an agent, and the kit that the adapter uses.",
    },
)
def init(parser: Parser) -> None:
    parser.add_argument("language", choices=["py", "go", "node"], help="the language of the adapter")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="where to write; created if missing (.)"
    )
    roles = ["loader", "agent", "workspace", "backend"]
    parser.add_argument("--role", choices=roles, default="loader", help="the role of the adapter (loader)")


@_command(
    TEST,
    "check whether an adapter works",
    {"loopspec doctor py:loopspec_adapter:Adapter": "Checks the adapter that `loopspec init py` wrote."},
)
def doctor(parser: Parser) -> None:
    _target(parser)
    _timeout(parser, "deadline of the start, and of a case (20)", 20.0)


@_command(
    TEST,
    "run the suite against a target",
    {
        "loopspec run reference": "Judges the reference implementation.",
        "loopspec run py:my_adapter:Mine --area 'AMD-*' -x": "Judges some areas, and stops after the first failure.",
        "loopspec run cmd:./my-adapter --baseline known.toml --report report.jsonl": "Judges a program.",
        "loopspec run py:my_adapter:Mine --lf -v": "Judges what failed last, and prints all steps of each failure.",
    },
)
def run(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    for option, metavar, says in (
        ("--rule", "GLOB", "judge these rules, e.g. 'AMD-DEPTH-*', and what --area and --case name"),
        ("--area", "GLOB", "judge these areas, e.g. 'AMD-*', and what --rule and --case name"),
        ("--case", "GLOB", "judge these cases, e.g. 'AMD-CFG-01 :: No configuration', and what --rule and --area name"),
        ("--deselect", "GLOB", "skip these rules or cases"),
        ("--variants", "all|GLOB", "judge the selected cases also in these variants; none: in none (a few of each)"),
    ):
        parser.add_argument(option, action="append", default=[], metavar=metavar, help=says)
    parser.add_argument("--role", choices=list(ROLES), help="judge the target in this role only")
    parser.add_argument(
        "--dialect",
        metavar="all|NAME",
        help="judge how the target reads instruction files, in this dialect; NAME-observed: as the tool reads, where "
        "its document says otherwise; all: in each, one after the other",
    )
    _file(parser, "--baseline", "failures that are known (TOML)")
    _file(parser, "--write-baseline", "write the failures as a baseline")
    parser.add_argument("--strict", action="store_true", help="advisory rules count, too")
    parser.add_argument(
        "--generated", action="store_true", help="judge generated scenes, too: compare them with the reference"
    )
    parser.add_argument("--soak", action="store_true", help="judge in full what takes long, such as 1,000 reads")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="shuffle the cases; 0 keeps their order")
    parser.add_argument(
        "--shard", metavar="I/N", help="judge the I-th of N parts; `loopspec report --merge` merges them"
    )
    parser.add_argument(
        "-n", dest="workers", default="", metavar="N", help="judge in N processes; auto: one per processor"
    )
    _timeout(parser, "deadline of one case (10; of known:…, 60)", None)
    _file(parser, "--report", "write the report (JSON lines)")
    _file(parser, "--junit", "write the outcome as JUnit XML")
    parser.add_argument(
        "--lf", nargs="?", const="", metavar="REPORT", help="judge only what failed in the last run, or in this report"
    )
    parser.add_argument("-x", dest="stop_early", action="store_true", help="stop after the first failure that counts")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print the steps of failures, and what is inapplicable"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print failures and the last sentence only")


@_command(
    TEST,
    "update a baseline: the list of known failures",
    {
        "loopspec baseline prune py:my_adapter:Mine known.toml": "Removes the entries of cases that pass now.",
        "loopspec baseline rename 0.2 known.toml": "Renames the cases that version 0.2 of the features renamed.",
    },
    "help:no_command",
)
def baseline(parser: Parser) -> None:
    below = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    does = "loopspec.cli.commands.run:prune_baseline"
    prune = sub_command(below, "prune", does, "remove the entries that pass now")
    _target(prune)
    _file(prune, "file", "the baseline (TOML)")
    _timeout(prune)
    does = "loopspec.cli.commands.run:rename_entries"
    rename = sub_command(below, "rename", does, "give renamed cases their new names")
    rename.add_argument("map", metavar="MAP", help="the version that renamed them, e.g. 0.2; or a file (TOML)")
    _file(rename, "file", "the baseline (TOML)")


@_command(
    TEST,
    "convert and compare reports (HTML, Markdown, JUnit, …)",
    {
        "loopspec report mine.jsonl theirs.jsonl --html report.html": "Writes one page about two implementations.",
        "loopspec report old.jsonl new.jsonl --diff": "Compares two runs.",
        "loopspec report 1.jsonl 2.jsonl 3.jsonl --merge whole.jsonl": "Merges the reports of three shards.",
    },
)
def report(parser: Parser) -> None:
    from ..reports.forms import forms  # only here, where the packages that add one are looked for

    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    parser.add_argument("--diff", action="store_true", help="say what changed from OLD to NEW; exit 1 if it got worse")
    for form in forms():
        if form.is_printed:
            parser.add_argument(f"--{form.name}", action="store_true", help=form.says)
        else:
            _file(parser, f"--{form.name}", form.says)
    _file(parser, "--merge", "merge the reports of shards into one report, and exit as the whole run would have")


@_command(
    TEST,
    "judge recorded cases again, without the implementation",
    {"loopspec replay report.jsonl 'AMD-DEPTH-*'": "Judges the recorded observations of an area again."},
)
def replay(parser: Parser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    parser.add_argument(
        "case", metavar="CASE", help="a case, or a rule for all of its cases; globs work: 'AMD-DEPTH-*'"
    )
    parser.add_argument("--target", metavar="TARGET", help="perform the recorded scene on this target, and judge that")
    _timeout(parser)


@_command(
    READ,
    "explain one rule: sentence, source, decision, examples",
    {
        "loopspec explain AMD-DEPTH-02": "Prints a rule with its source, its decision and its examples.",
        "loopspec explain AMD-DEPTH-02 reference": "Also says whether the reference passes.",
    },
)
def explain(parser: Parser) -> None:
    parser.add_argument("rule", metavar="ID", help="a rule, e.g. AMD-DEPTH-02; an area, a glob, an axis or a word")
    parser.add_argument(
        "targets", nargs="*", default=[], metavar="TARGET", help="also judge these targets, and print who passes"
    )
    parser.add_argument("--all", action="store_true", help="also print the other examples, source, mutant and names")


@_command(
    READ,
    "list the rules",
    {"loopspec list 'AMD-CACHE*'": "Lists the rules of an area."},
    "listing:list_rules",
)
def list_(parser: Parser) -> None:
    parser.add_argument("globs", nargs="*", metavar="GLOB", help="rules or areas, e.g. 'AMD-CACHE*'")
    parser.add_argument("--json", action="store_true", help="print one JSON object per rule")


@_command(
    READ, "list all that a feature can say, in sentences and tables", {"loopspec phrases": "Prints the phrasebook."}
)
def phrases(parser: Parser) -> None:
    says = "only sentences, columns, actions and the like with this text"
    parser.add_argument("word", nargs="?", default="", metavar="WORD", help=says)
    parser.add_argument("--markdown", action="store_true", help="print them as a page of Markdown")


@_command(
    READ,
    "list what a target can declare: roles, capabilities, postures",
    {"loopspec capabilities reference": "Marks what the reference declares."},
    "listing:capabilities",
)
def capabilities(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help="mark those that this target declares")


@_command(
    WRITE,
    "print the JSON Schema of the protocol, or its page",
    {"loopspec protocol": "Prints the schema.", "loopspec protocol --page": "Prints the page."},
    "help:protocol",
)
def protocol(parser: Parser) -> None:
    parser.add_argument("--page", action="store_true", help="print the page for authors of adapters instead")


@_command(
    WRITE,
    "serve a Python target as an adapter, over standard input/output",
    {"loopspec serve reference": "Is a complete adapter on standard input and output."},
)
def serve(parser: Parser) -> None:
    parser.add_argument("target", metavar="TARGET", help="reference, or py:package.module:factory")


@_command(
    None,
    "show this help, or that of a command",
    {"loopspec help baseline prune": "Prints the options of one command."},
    "help:help_",
)
def help_(parser: Parser) -> None:
    parser.add_argument("names", nargs="*", metavar="COMMAND", help="a command, e.g. `baseline prune`")


@_command(
    None,
    "print a script that completes commands and options",
    {"loopspec completion bash": "Prints a script for bash; needs the extra `completion`."},
    "help:completion",
)
def completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh"], metavar="SHELL", help="bash, zsh or tcsh")


def commands() -> tuple[Command, ...]:
    """All commands: those of the kit, and those of products after them."""
    return (*CORE, *added_commands())


def parser(argv: Sequence[str] | None = None) -> Parser:
    """The parser of the whole command line; for the words of a command of the kit, the part that reads them.

    No product is imported, and no option read, that a command of the kit does not need.
    """
    name = argv[0] if argv else ""
    own = [command for command in CORE if command.name == name and command.group]
    wanted = own or commands()
    whole = Parser(prog="loopspec")
    whole.add_argument("--version", action="version", version=f"loopspec {__version__}")
    whole.set_defaults(command=calling("loopspec.cli.commands.help:no_command"))
    found: argparse._SubParsersAction[Parser] = whole.add_subparsers(prog="loopspec", parser_class=Parser)
    for command in wanted:
        command.add(found)
    whole.help = _overview(wanted)
    return whole


def _overview(wanted: Iterable[Command]) -> str:
    """The output of `loopspec help`: every command with its meaning."""
    lines = ["loopspec COMMAND …: an executable specification of an agent loop"]
    for title in get_args(Group):
        lines.append(f"{title}:")
        lines += [f"  {one.name:13} {one.says.removesuffix('.')}" for one in wanted if one.group == title]
    return "\n".join([*lines, _MORE, ""])
