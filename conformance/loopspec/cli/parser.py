"""The commands, and the options of each."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from .. import __version__
from ..contract.capabilities import ROLES
from .arguments import Parser

_Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

# All commands, in the order in which a new user needs them. `loopspec help` prints them on one screen.
GROUPS = {
    "Test an implementation": ("init", "doctor", "run", "baseline", "report", "replay", "fuzz", "known"),
    "Read the specification, and check instruction files": (
        *("explain", "list", "phrases", "capabilities", "show", "lint", "docs", "panels"),
    ),
    "Write an adapter in another language, and test the suite": ("protocol", "serve", "selftest"),
}
_MORE = "Options: `loopspec help COMMAND`. Completion: `loopspec completion SHELL`."
_TARGET = "reference, py:package.module:factory, cmd:command line, or known:name"


def _does(command: str) -> Callable[[argparse.Namespace], int]:
    """A command by the name of its module and function, imported when it is called."""
    module, _, function = command.partition(".")

    def call(args: argparse.Namespace) -> int:
        code: int = getattr(import_module(f"loopspec.cli.commands.{module}"), function)(args)
        return code

    return call


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def parser() -> Parser:
    """The parser of the whole command line."""
    whole = Parser(prog="loopspec")
    whole.add_argument("--version", action="version", version=f"loopspec {__version__}")
    whole.set_defaults(command=_does("help.no_command"))
    commands: _Commands = whole.add_subparsers(prog="loopspec", parser_class=Parser)
    _add_starting(commands)
    _add_run(commands)
    _add_reports(commands)
    _add_fuzz(commands)
    _add_known(commands)
    _add_reading(commands)
    _add_protocol(commands)
    _add_others(commands)
    whole.help = _overview({name: added.description or "" for name, added in commands.choices.items()})
    return whole


def _overview(meanings: Mapping[str, str]) -> str:
    """The output of `loopspec help`: every command with its meaning."""
    lines = ["loopspec COMMAND …: an executable specification of an agent loop"]
    for title, names in GROUPS.items():
        lines.append(f"{title}:")
        lines += [f"  {name:13} {meanings[name][0].lower()}{meanings[name][1:].removesuffix('.')}" for name in names]
    return "\n".join([*lines, _MORE, ""])


def _command(commands: _Commands, name: str, does: str, what: str) -> Parser:
    """Add a command with its name, its function, and its help text."""
    added = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    added.set_defaults(command=_does(does))
    return added


def _add_starting(commands: _Commands) -> None:
    init = _command(commands, "init", "init.init", "write a first adapter, a baseline and a CI job")
    init.add_argument("language", choices=["py", "go", "node"], help="the language of the adapter")
    init.add_argument(
        "folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="where to write; created if missing (.)"
    )
    roles = ["loader", "agent", "workspace", "backend"]
    init.add_argument("--role", choices=roles, default="loader", help="the role of the adapter (loader)")
    doctor = _command(commands, "doctor", "doctor.doctor", "check whether an adapter works")
    doctor.add_argument("target", metavar="TARGET", help=_TARGET)
    doctor.add_argument(
        "--timeout", type=_seconds, default=20.0, metavar="SECONDS", help="deadline of the start, and of a case (20)"
    )


def _add_run(commands: _Commands) -> None:
    run = _command(commands, "run", "run.run", "run the suite against a target")
    run.add_argument("target", nargs="?", metavar="TARGET", help=_TARGET)
    for option, what in (
        ("--rule", "judge only these rules, e.g. 'AMD-DEPTH-*'"),
        ("--area", "judge only these areas, e.g. 'AMD-*'"),
        ("--case", "judge only these cases, e.g. 'AMD-CFG-01 :: No configuration'"),
        ("--deselect", "skip these rules or cases"),
    ):
        run.add_argument(option, action="append", default=[], metavar="GLOB", help=what)
    run.add_argument(
        "--variants",
        action="append",
        default=[],
        metavar="all|GLOB",
        help="judge the selected cases also in these variants (none)",
    )
    run.add_argument("--role", choices=list(ROLES), help="judge the target in this role only")
    run.add_argument(
        "--dialect",
        metavar="all|NAME",
        help="judge how the target reads instruction files, in this dialect; NAME-observed: as the tool reads, where "
        "its document says otherwise; all: in each, one after the other",
    )
    run.add_argument("--baseline", type=Path, metavar="FILE", help="failures that are known (TOML)")
    run.add_argument("--write-baseline", type=Path, metavar="FILE", help="write the failures as a baseline")
    run.add_argument("--strict", action="store_true", help="advisory rules count, too")
    run.add_argument("--seed", type=int, default=0, metavar="N", help="shuffle the cases; 0 keeps their order")
    run.add_argument("--shard", metavar="I/N", help="judge the I-th of N parts; `loopspec report --merge` merges them")
    run.add_argument(
        "-n", dest="workers", default="", metavar="N", help="judge in N processes; auto: one per processor"
    )
    run.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    run.add_argument("--report", type=Path, metavar="FILE", help="write the report (JSON lines)")
    run.add_argument("--junit", type=Path, metavar="FILE", help="write the outcome as JUnit XML")
    run.add_argument(
        "--lf", nargs="?", const="", metavar="REPORT", help="judge only what failed in the last run, or in this report"
    )
    run.add_argument("-x", dest="stop_early", action="store_true", help="stop after the first failure that counts")
    run.add_argument(
        "-v", "--verbose", action="store_true", help="print the steps of failures, and what is inapplicable"
    )
    run.add_argument("-q", "--quiet", action="store_true", help="print failures and the last sentence only")


def _add_reports(commands: _Commands) -> None:
    baseline = _command(commands, "baseline", "help.no_command", "update a baseline: the list of known failures")
    of_baselines = baseline.add_subparsers(metavar="COMMAND", parser_class=Parser)
    prune = _command(of_baselines, "prune", "run.prune_baseline", "remove the entries that pass now")
    prune.add_argument("target", metavar="TARGET", help=_TARGET)
    prune.add_argument("file", type=Path, metavar="FILE", help="the baseline (TOML)")
    prune.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    renaming = _command(of_baselines, "rename", "renaming.rename_entries", "give renamed cases their new names")
    renaming.add_argument("map", metavar="MAP", help="the version that renamed them, e.g. 0.2; or a file (TOML)")
    renaming.add_argument("file", type=Path, metavar="FILE", help="the baseline (TOML)")
    report = _command(
        commands, "report", "report.report", "convert and compare reports (HTML, Markdown, JUnit, EARL, …)"
    )
    report.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    report.add_argument("--diff", action="store_true", help="say what changed from OLD to NEW; exit 1 if it got worse")
    report.add_argument("--markdown", action="store_true", help="print a table in Markdown: areas × implementations")
    for option, what in (
        ("--junit", "write the run as JUnit XML"),
        ("--summary", "write the run as a page of Markdown, for a CI job"),
        ("--badge", "write a badge, as the JSON of a shields.io endpoint"),
        ("--messages", "write the run as Cucumber messages, for Cucumber's formatters"),
        ("--html", "write one HTML page: implementations × rules, with the evidence"),
        ("--merge", "merge the reports of shards into one report, and exit as the whole run would have"),
        ("--earl", "write the outcome of each rule in the W3C's EARL, as JSON-LD"),
    ):
        report.add_argument(option, type=Path, metavar="FILE", help=what)
    replay = _command(commands, "replay", "replay.replay", "judge recorded cases again, without the implementation")
    replay.add_argument("report", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    replay.add_argument(
        "case", metavar="CASE", help="a case, or a rule for all of its cases; globs work: 'AMD-DEPTH-*'"
    )
    replay.add_argument("--target", metavar="TARGET", help="perform the recorded scene on this target, and judge that")
    replay.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")


def _add_fuzz(commands: _Commands) -> None:
    fuzz = _command(commands, "fuzz", "fuzz.fuzz", "find differences between two targets with generated scenes")
    fuzz.add_argument("target", metavar="TARGET", help=_TARGET)
    fuzz.add_argument(
        "other",
        nargs="?",
        default="reference",
        metavar="OTHER",
        help="the target to compare with (reference); different postures are named, and pass over no difference",
    )
    fuzz.add_argument(
        "--dialect", metavar="NAME", help="compare how both targets read generated workspaces, in this dialect"
    )
    fuzz.add_argument(
        "--role",
        choices=["backend", "workspace"],
        help="compare the targets in this role only (agents and loads if both targets have them)",
    )
    fuzz.add_argument("--seconds", type=_seconds, default=60.0, metavar="N", help="how long to search (60)")
    fuzz.add_argument("--seed", type=int, default=0, metavar="N", help="an equal seed generates equal scenes (0)")
    fuzz.add_argument("--known", type=Path, metavar="FILE", help="differences that are known (TOML)")
    fuzz.add_argument("--report", type=Path, metavar="FILE", help="write the differences (JSON lines)")
    fuzz.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one scene (10)")
    fuzz.add_argument("-x", dest="stop_early", action="store_true", help="stop after the first new difference")


def _add_known(commands: _Commands) -> None:
    known = _command(commands, "known", "known.known_command", "list the implementations that `known:NAME` judges")
    does = known.add_mutually_exclusive_group()
    does.add_argument(
        "--table", action="store_true", help="judge all of the results page, and compare them with those that ship"
    )
    does.add_argument("--summary", metavar="NAME@VERSION", help="judge a version, and print the verdict on each rule")
    does.add_argument("--remove", metavar="NAME|all", help="remove environments from the cache; NAME@VERSION: only one")
    known.add_argument("--write", type=Path, metavar="FILE", help="with --table: write the results (JSON)")


def _add_reading(commands: _Commands) -> None:
    explain = _command(commands, "explain", "explain.explain", "explain one rule: sentence, source, decision, examples")
    explain.add_argument("rule", metavar="ID", help="a rule, e.g. AMD-DEPTH-02 or LINT-07; or an area")
    explain.add_argument(
        "targets", nargs="*", default=[], metavar="TARGET", help="also judge these targets, and print who passes"
    )
    rules = _command(commands, "list", "listing.list_rules", "list the rules")
    rules.add_argument("globs", nargs="*", metavar="GLOB", help="rules or areas, e.g. 'AMD-CACHE*'")
    rules.add_argument("--json", action="store_true", help="print one JSON object per rule")
    phrases = _command(
        commands, "phrases", "phrases.phrases", "list all that a feature can say, in sentences and tables"
    )
    phrases.add_argument(
        "word",
        nargs="?",
        default="",
        metavar="WORD",
        help="only sentences, columns, actions and the like with this text",
    )
    phrases.add_argument("--markdown", action="store_true", help="print them as a page of Markdown")
    capabilities = _command(
        commands,
        "capabilities",
        "listing.capabilities",
        "list what a target can declare: roles, capabilities, postures",
    )
    capabilities.add_argument("target", nargs="?", metavar="TARGET", help="mark those that this target declares")
    show = _command(commands, "show", "show.show", "print the instructions that an agent receives for a folder")
    show.add_argument(
        "path", nargs="?", type=Path, metavar="PATH", help="a file, or a folder with an AGENTS.md (an example)"
    )
    show.add_argument(
        "--as",
        dest="read_as",
        metavar="all|DIALECT",
        help="what this coding agent reads when it starts in the folder (the current one); all: a table of them",
    )
    show.add_argument("--home", type=Path, metavar="FOLDER", help="with --as: the home folder (your own)")
    show.add_argument("--root", type=Path, metavar="FOLDER", help="the folder that reads are confined to (the file's)")
    show.add_argument("--max-bytes", type=int, default=0, metavar="N", help="the byte limit (0: none)")
    show.add_argument("--language", choices=["en", "zh"], help="the language of the text")
    lint = _command(commands, "lint", "lint.lint", "find what goes wrong with the instruction files of a repository")
    lint.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="the repository (the current folder)")
    lint.add_argument(
        "--as",
        dest="read_as",
        action="append",
        default=[],
        metavar="all|DIALECT",
        help="read the files as this coding agent does; default: those in loopspec.toml, or those that the files mean",
    )
    lint.add_argument(
        "--format", choices=["text", "json", "sarif", "github"], default="text", help="the form of the output (text)"
    )
    docs = _command(commands, "docs", "docs.docs", "write the specification as a static site")
    docs.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder, or one that it wrote before")
    panels = _command(commands, "panels", "panels.panels", "write the configuration forms of a target's strategies")
    panels.add_argument("target", nargs="?", default="reference", metavar="TARGET", help=f"{_TARGET} (reference)")
    panels.add_argument("file", type=Path, metavar="FILE.html", help="the page to write")


def _add_protocol(commands: _Commands) -> None:
    protocol = _command(commands, "protocol", "protocol.protocol", "print the JSON Schema of the protocol, or its page")
    protocol.add_argument("--page", action="store_true", help="print the page for authors of adapters instead")
    serve = _command(
        commands, "serve", "serve.serve", "serve a Python target as an adapter, over standard input/output"
    )
    serve.add_argument("target", metavar="TARGET", help="reference, or py:package.module:factory")


def _add_others(commands: _Commands) -> None:
    selftest = _command(commands, "selftest", "selftest.selftest", "judge seeded mutants, which the suite must catch")
    selftest.add_argument(
        "mutants", nargs="*", metavar="MUTANT", help="a mutant or a rule, also as a pattern; default: all"
    )
    selftest.add_argument(
        "--full",
        action="store_true",
        help="judge each mutant by all cases, not only its own area's, and the null targets",
    )
    selftest.add_argument("--museum", action="store_true", help="judge the bugs of real projects instead")
    help_ = _command(commands, "help", "help.help_", "show this help, or that of a command")
    help_.add_argument("names", nargs="*", metavar="COMMAND", help="a command, e.g. `baseline prune`")
    completion = _command(
        commands, "completion", "completion.completion", "print a script that completes commands and options"
    )
    completion.add_argument("shell", choices=["bash", "zsh", "tcsh"], metavar="SHELL", help="bash, zsh or tcsh")
