"""The commands of the kit itself, and the options of each."""

from __future__ import annotations

from pathlib import Path

from ..contract.roles import ROLES
from ..reports.forms import forms
from .arguments import Parser
from .command import READ, TARGET, TEST, WRITE, Command, seconds, sub_command


def _init(parser: Parser) -> None:
    parser.add_argument("language", choices=["py", "go", "node"], help="the language of the adapter")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="where to write; created if missing (.)"
    )
    roles = ["loader", "agent", "workspace", "backend"]
    parser.add_argument("--role", choices=roles, default="loader", help="the role of the adapter (loader)")


def _doctor(parser: Parser) -> None:
    parser.add_argument("target", metavar="TARGET", help=TARGET)
    parser.add_argument(
        "--timeout", type=seconds, default=20.0, metavar="SECONDS", help="deadline of the start, and of a case (20)"
    )


def _run(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    for option, what in (
        ("--rule", "judge these rules, e.g. 'AMD-DEPTH-*', and what --area and --case name"),
        ("--area", "judge these areas, e.g. 'AMD-*', and what --rule and --case name"),
        ("--case", "judge these cases, e.g. 'AMD-CFG-01 :: No configuration', and what --rule and --area name"),
        ("--deselect", "skip these rules or cases"),
    ):
        parser.add_argument(option, action="append", default=[], metavar="GLOB", help=what)
    parser.add_argument(
        "--variants",
        action="append",
        default=[],
        metavar="all|GLOB",
        help="judge the selected cases also in these variants (none)",
    )
    parser.add_argument("--role", choices=list(ROLES), help="judge the target in this role only")
    parser.add_argument(
        "--dialect",
        metavar="all|NAME",
        help="judge how the target reads instruction files, in this dialect; NAME-observed: as the tool reads, where "
        "its document says otherwise; all: in each, one after the other",
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="failures that are known (TOML)")
    parser.add_argument("--write-baseline", type=Path, metavar="FILE", help="write the failures as a baseline")
    parser.add_argument("--strict", action="store_true", help="advisory rules count, too")
    parser.add_argument("--soak", action="store_true", help="judge in full what takes long, such as 1,000 reads")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="shuffle the cases; 0 keeps their order")
    parser.add_argument(
        "--shard", metavar="I/N", help="judge the I-th of N parts; `loopspec report --merge` merges them"
    )
    parser.add_argument(
        "-n", dest="workers", default="", metavar="N", help="judge in N processes; auto: one per processor"
    )
    parser.add_argument("--timeout", type=seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the report (JSON lines)")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the outcome as JUnit XML")
    parser.add_argument(
        "--lf", nargs="?", const="", metavar="REPORT", help="judge only what failed in the last run, or in this report"
    )
    parser.add_argument("-x", dest="stop_early", action="store_true", help="stop after the first failure that counts")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print the steps of failures, and what is inapplicable"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print failures and the last sentence only")


def _baseline(parser: Parser) -> None:
    of_baselines = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    prune = sub_command(
        of_baselines, "prune", "loopspec.cli.commands.run:prune_baseline", "remove the entries that pass now"
    )
    prune.add_argument("target", metavar="TARGET", help=TARGET)
    prune.add_argument("file", type=Path, metavar="FILE", help="the baseline (TOML)")
    prune.add_argument("--timeout", type=seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")
    renaming = sub_command(
        of_baselines,
        "rename",
        "loopspec.cli.commands.renaming:rename_entries",
        "give renamed cases their new names",
    )
    renaming.add_argument("map", metavar="MAP", help="the version that renamed them, e.g. 0.2; or a file (TOML)")
    renaming.add_argument("file", type=Path, metavar="FILE", help="the baseline (TOML)")


def _report(parser: Parser) -> None:
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    parser.add_argument("--diff", action="store_true", help="say what changed from OLD to NEW; exit 1 if it got worse")
    for form in forms():
        if form.is_printed:
            parser.add_argument(f"--{form.name}", action="store_true", help=form.says)
        else:
            parser.add_argument(f"--{form.name}", type=Path, metavar="FILE", help=form.says)
    parser.add_argument(
        "--merge",
        type=Path,
        metavar="FILE",
        help="merge the reports of shards into one report, and exit as the whole run would have",
    )


def _replay(parser: Parser) -> None:
    parser.add_argument("report", type=Path, metavar="REPORT", help="what `loopspec run --report` wrote")
    parser.add_argument(
        "case", metavar="CASE", help="a case, or a rule for all of its cases; globs work: 'AMD-DEPTH-*'"
    )
    parser.add_argument("--target", metavar="TARGET", help="perform the recorded scene on this target, and judge that")
    parser.add_argument("--timeout", type=seconds, default=10.0, metavar="SECONDS", help="deadline of one case (10)")


def _explain(parser: Parser) -> None:
    parser.add_argument("rule", metavar="ID", help="a rule, e.g. AMD-DEPTH-02 or LINT-07; an area, a glob or an axis")
    parser.add_argument(
        "targets", nargs="*", default=[], metavar="TARGET", help="also judge these targets, and print who passes"
    )


def _list(parser: Parser) -> None:
    parser.add_argument("globs", nargs="*", metavar="GLOB", help="rules or areas, e.g. 'AMD-CACHE*'")
    parser.add_argument("--json", action="store_true", help="print one JSON object per rule")


def _phrases(parser: Parser) -> None:
    parser.add_argument(
        "word",
        nargs="?",
        default="",
        metavar="WORD",
        help="only sentences, columns, actions and the like with this text",
    )
    parser.add_argument("--markdown", action="store_true", help="print them as a page of Markdown")


def _capabilities(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help="mark those that this target declares")


def _protocol(parser: Parser) -> None:
    parser.add_argument("--page", action="store_true", help="print the page for authors of adapters instead")


def _serve(parser: Parser) -> None:
    parser.add_argument("target", metavar="TARGET", help="reference, or py:package.module:factory")


def _help(parser: Parser) -> None:
    parser.add_argument("names", nargs="*", metavar="COMMAND", help="a command, e.g. `baseline prune`")


def _completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh"], metavar="SHELL", help="bash, zsh or tcsh")


# In the order in which a new user needs them.
CORE = (
    Command(
        "init",
        TEST,
        "write a first adapter, a baseline and a CI job",
        "loopspec.cli.commands.init:init",
        _init,
        {
            "loopspec init py": "Writes an adapter in Python into the current folder.",
            "loopspec init go adapter": "Writes an adapter in Go into the folder `adapter`.",
            "loopspec init py --role backend": "Writes an adapter for a store of files.",
            "loopspec init node --role agent": "Writes an adapter for an agent, and the kit that the adapter uses.",
        },
    ),
    Command(
        "doctor",
        TEST,
        "check whether an adapter works",
        "loopspec.cli.commands.doctor:doctor",
        _doctor,
        {
            "loopspec doctor py:loopspec_adapter:Adapter": "Checks the adapter that `loopspec init py` wrote.",
        },
    ),
    Command(
        "run",
        TEST,
        "run the suite against a target",
        "loopspec.cli.commands.run:run",
        _run,
        {
            "loopspec run reference": "Judges the reference implementation.",
            "loopspec run py:my_adapter:Mine --area 'AMD-*' -x": (
                "Judges some areas, and stops after the first failure."
            ),
            "loopspec run cmd:./my-adapter --baseline known.toml --report report.jsonl": "Judges a program.",
            "loopspec run py:my_adapter:Mine --lf -v": (
                "Judges what failed last, and prints all steps of each failure."
            ),
        },
    ),
    Command(
        "baseline",
        TEST,
        "update a baseline: the list of known failures",
        "loopspec.cli.commands.help:no_command",
        _baseline,
        {
            "loopspec baseline prune py:my_adapter:Mine known.toml": "Removes the entries of cases that pass now.",
            "loopspec baseline rename 0.2 known.toml": "Renames the cases that version 0.2 of the features renamed.",
        },
    ),
    Command(
        "report",
        TEST,
        "convert and compare reports (HTML, Markdown, JUnit, …)",
        "loopspec.cli.commands.report:report",
        _report,
        {
            "loopspec report mine.jsonl theirs.jsonl --html report.html": "Writes one page about two implementations.",
            "loopspec report old.jsonl new.jsonl --diff": "Compares two runs.",
            "loopspec report 1.jsonl 2.jsonl 3.jsonl --merge whole.jsonl": "Merges the reports of three shards.",
        },
    ),
    Command(
        "replay",
        TEST,
        "judge recorded cases again, without the implementation",
        "loopspec.cli.commands.replay:replay",
        _replay,
        {
            "loopspec replay report.jsonl 'AMD-DEPTH-*'": "Judges the recorded observations of an area again.",
        },
    ),
    Command(
        "explain",
        READ,
        "explain one rule: sentence, source, decision, examples",
        "loopspec.cli.commands.explain:explain",
        _explain,
        {
            "loopspec explain AMD-DEPTH-02": "Prints a rule with its source, its decision and its examples.",
            "loopspec explain AMD-DEPTH-02 reference": "Also says whether the reference passes.",
        },
    ),
    Command(
        "list",
        READ,
        "list the rules",
        "loopspec.cli.commands.listing:list_rules",
        _list,
        {
            "loopspec list 'AMD-CACHE*'": "Lists the rules of an area.",
        },
    ),
    Command(
        "phrases",
        READ,
        "list all that a feature can say, in sentences and tables",
        "loopspec.cli.commands.phrases:phrases",
        _phrases,
        {
            "loopspec phrases": "Prints the phrasebook.",
        },
    ),
    Command(
        "capabilities",
        READ,
        "list what a target can declare: roles, capabilities, postures",
        "loopspec.cli.commands.listing:capabilities",
        _capabilities,
        {
            "loopspec capabilities reference": "Marks what the reference declares.",
        },
    ),
    Command(
        "protocol",
        WRITE,
        "print the JSON Schema of the protocol, or its page",
        "loopspec.cli.commands.protocol:protocol",
        _protocol,
        {
            "loopspec protocol": "Prints the schema.",
            "loopspec protocol --page": "Prints the page.",
        },
    ),
    Command(
        "serve",
        WRITE,
        "serve a Python target as an adapter, over standard input/output",
        "loopspec.cli.commands.serve:serve",
        _serve,
        {
            "loopspec serve reference": "Is a complete adapter on standard input and output.",
        },
    ),
    Command(
        "help",
        None,
        "show this help, or that of a command",
        "loopspec.cli.commands.help:help_",
        _help,
        {
            "loopspec help baseline prune": "Prints the options of one command.",
        },
    ),
    Command(
        "completion",
        None,
        "print a script that completes commands and options",
        "loopspec.cli.commands.completion:completion",
        _completion,
        {
            "loopspec completion bash": "Prints a script for bash; needs the extra `completion`.",
        },
    ),
)
