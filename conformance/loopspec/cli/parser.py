"""The options of every command."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from .. import __version__
from ..contract.capabilities import ROLES

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


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
        raise argparse.ArgumentTypeError(f"{text} is no time to wait")
    return seconds


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="loopspec", description="An executable specification of an agent loop: run it against yours."
    )
    parser.add_argument("--version", action="version", version=f"loopspec {__version__}")
    commands: _Commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_run(commands)
    _add_reading(commands)
    _add_others(commands)
    return parser


def _add_run(commands: _Commands) -> None:
    run = commands.add_parser("run", help="run the suite against a target")
    run.set_defaults(command=_does("run.run"))
    run.add_argument(
        "target", nargs="?", metavar="TARGET", help="reference, py:package.module:factory, or cmd:command line"
    )
    for option, what in (
        ("--rule", "judge only these rules, e.g. 'AMD-DEPTH-*'"),
        ("--area", "judge only these areas, e.g. 'AMD-*'"),
        ("--case", "judge only these cases, e.g. 'AMD-CFG-01 :: No configuration at all'"),
        ("--deselect", "leave out these rules or cases"),
    ):
        run.add_argument(option, action="append", default=[], metavar="GLOB", help=what)
    run.add_argument("--role", choices=list(ROLES), help="judge the target in this role only")
    run.add_argument("--baseline", type=Path, metavar="FILE", help="failures that are known (TOML)")
    run.add_argument("--write-baseline", type=Path, metavar="FILE", help="write the failures as a baseline")
    run.add_argument("--strict", action="store_true", help="clarified rules decide, too")
    run.add_argument("--seed", type=int, default=0, metavar="N", help="shuffle the cases; 0 keeps their order")
    run.add_argument("--shard", metavar="I/N", help="judge the I-th of N parts; `loopspec report --merge` unites them")
    run.add_argument(
        "-n", dest="workers", default="", metavar="N", help="judge in N processes; auto: one per processor"
    )
    run.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    run.add_argument("--report", type=Path, metavar="FILE", help="write what happens as JSON lines")
    run.add_argument("--junit", type=Path, metavar="FILE", help="write the outcome as JUnit XML")
    run.add_argument(
        "--lf", nargs="?", const="", metavar="REPORT", help="judge only what failed in the last run, or in this report"
    )
    run.add_argument("-x", dest="stop_early", action="store_true", help="stop after the first failure that counts")
    run.add_argument(
        "-v", "--verbose", action="store_true", help="print the steps of failures, and what is inapplicable"
    )
    run.add_argument("-q", "--quiet", action="store_true", help="print failures and the last sentence only")


def _add_reading(commands: _Commands) -> None:
    rules = commands.add_parser("list", help="list the rules")
    rules.set_defaults(command=_does("listing.list_rules"))
    rules.add_argument("globs", nargs="*", metavar="GLOB", help="ids or areas, e.g. 'AMD-CACHE*'")
    rules.add_argument("--json", action="store_true", help="one JSON object per rule")
    explain = commands.add_parser("explain", help="explain one rule: sentence, source, decision, examples, who passes")
    explain.set_defaults(command=_does("explain.explain"))
    explain.add_argument("rule", metavar="ID")
    explain.add_argument("targets", nargs="*", default=[], metavar="TARGET", help="judge these, too")
    phrases = commands.add_parser("phrases", help="list the phrases a feature can be written in")
    phrases.set_defaults(command=_does("listing.phrases"))
    phrases.add_argument("--markdown", action="store_true", help="as a page")
    capabilities = commands.add_parser("capabilities", help="list the roles and capabilities a target can declare")
    capabilities.set_defaults(command=_does("listing.capabilities"))
    capabilities.add_argument("target", nargs="?", metavar="TARGET", help="mark what this one declares")


def _add_others(commands: _Commands) -> None:
    init = commands.add_parser("init", help="write a starting adapter, a baseline and a CI snippet")
    init.set_defaults(command=_does("init.init"))
    init.add_argument("language", choices=["py", "go", "node"])
    init.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="FOLDER")
    baseline = commands.add_parser("baseline", help="look after a baseline").add_subparsers(required=True)
    prune = baseline.add_parser("prune", help="take out the entries that pass now")
    prune.set_defaults(command=_does("run.prune_baseline"))
    prune.add_argument("target", metavar="TARGET")
    prune.add_argument("file", type=Path, metavar="FILE")
    prune.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    report = commands.add_parser("report", help="make of reports what others read; several stand side by side")
    report.set_defaults(command=_does("report.report"))
    report.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    report.add_argument("--markdown", action="store_true", help="print areas × implementations as a table in Markdown")
    for option, what in (
        ("--junit", "write the run as JUnit XML"),
        ("--summary", "write it as a page of Markdown, for a CI job"),
        ("--badge", "write a badge, as the JSON of a shields.io endpoint"),
        ("--messages", "write it as Cucumber's messages, for formatters"),
        ("--html", "write one page to look through: implementations × rules, and what was recorded"),
        ("--merge", "write the report of the whole run, of which these are the shards, and exit as it would have"),
        ("--earl", "write what became of each rule in the W3C's EARL, as JSON-LD"),
    ):
        report.add_argument(option, type=Path, metavar="FILE", help=what)
    replay = commands.add_parser("replay", help="judge again what a report recorded, without the implementation")
    replay.set_defaults(command=_does("replay.replay"))
    replay.add_argument("report", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    replay.add_argument("case", metavar="CASE", help="a case or a rule of it; globs will do, e.g. 'AMD-DEPTH-*'")
    replay.add_argument("--target", metavar="TARGET", help="perform the recorded scene on this, and judge that")
    replay.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    serve = commands.add_parser("serve", help="be an adapter: a Python target, over standard input and output")
    serve.set_defaults(command=_does("serve.serve"))
    serve.add_argument("target", metavar="TARGET", help="reference, or py:package.module:factory")
    protocol = commands.add_parser("protocol", help="print the JSON Schema of every message of the protocol")
    protocol.set_defaults(command=_does("protocol.protocol"))
    protocol.add_argument("--page", action="store_true", help="print the page for whoever writes an adapter instead")
    doctor = commands.add_parser("doctor", help="tell whether an adapter or its implementation is at fault")
    doctor.set_defaults(command=_does("doctor.doctor"))
    doctor.add_argument("target", metavar="TARGET", help="reference, py:package.module:factory, or cmd:command line")
    doctor.add_argument(
        "--timeout", type=_seconds, default=20.0, metavar="SECONDS", help="deadline of the start, and of a case (20)"
    )
    selftest = commands.add_parser("selftest", help="try the suite on implementations that are wrong on purpose")
    selftest.set_defaults(command=_does("selftest.selftest"))
    selftest.add_argument("--full", action="store_true", help="each on every case, and not only on its own area")
    show = commands.add_parser("show", help="print what an agent would be given of a folder's instructions")
    show.set_defaults(command=_does("show.show"))
    show.add_argument(
        "path", nargs="?", type=Path, metavar="PATH", help="a file, or a folder with an Agents.md (an example)"
    )
    show.add_argument("--root", type=Path, metavar="FOLDER", help="the folder reads are confined to (the file's own)")
    show.add_argument("--max-bytes", type=int, default=0, metavar="N", help="the byte limit (0: none)")
    show.add_argument("--language", choices=["en", "zh"], help="the language of the text")
    docs = commands.add_parser("docs", help="write the specification as a site, in plain files")
    docs.set_defaults(command=_does("docs.docs"))
    docs.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder, or one that it wrote before")
    panels = commands.add_parser(
        "panels", help="write a page with a configuration panel for every strategy of a target"
    )
    panels.set_defaults(command=_does("panels.panels"))
    panels.add_argument("target", nargs="?", default="reference", metavar="TARGET", help="reference, py:… or cmd:…")
    panels.add_argument("file", type=Path, metavar="FILE.html", help="the page to write")
