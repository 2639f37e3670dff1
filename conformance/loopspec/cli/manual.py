"""The whole command line as data, read from its parser: every command, with its options and examples."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from ..pages.site import Argument, Command, CommandLine, Example
from .parser import GROUPS, parser

EXIT_CODES = {
    0: "The target is conformant. For other commands: done.",
    1: "Cases fail, crash or time out. For `doctor`: the adapter is broken. For `report --diff`: it got worse. "
    "For `fuzz`: a difference was found. For `lint`: there are findings.",
    2: "The command is wrong, or a file cannot be used.",
    3: "The baseline is stale: a case that it lists passes.",
    4: "The target is unusable.",
    5: "Nothing was judged, or the run did not account for every case.",
    130: "The run was interrupted, by Ctrl-C or by a signal.",
}
EXAMPLES = {
    "init": {
        "loopspec init py": "Writes an adapter in Python into the current folder.",
        "loopspec init go adapter": "Writes an adapter in Go into the folder `adapter`.",
        "loopspec init py --role backend": "Writes an adapter for a store of files.",
        "loopspec init node --role agent": "Writes an adapter for an agent, and the kit that the adapter uses.",
    },
    "doctor": {"loopspec doctor py:loopspec_adapter:Adapter": "Checks the adapter that `loopspec init py` wrote."},
    "run": {
        "loopspec run reference": "Judges the reference implementation.",
        "loopspec run py:my_adapter:Mine --area 'AMD-*' -x": "Judges some areas, and stops after the first failure.",
        "loopspec run cmd:./my-adapter --baseline known.toml --report report.jsonl": "Judges a program.",
        "loopspec run py:my_adapter:Mine --lf -v": "Judges what failed last, and prints all steps of each failure.",
    },
    "baseline prune": {
        "loopspec baseline prune py:my_adapter:Mine known.toml": "Removes the entries of cases that pass now."
    },
    "baseline rename": {
        "loopspec baseline rename 0.2 known.toml": "Renames the cases that version 0.2 of the features renamed."
    },
    "report": {
        "loopspec report mine.jsonl theirs.jsonl --html report.html": "Writes one page about two implementations.",
        "loopspec report old.jsonl new.jsonl --diff": "Compares two runs.",
        "loopspec report 1.jsonl 2.jsonl 3.jsonl --merge whole.jsonl": "Merges the reports of three shards.",
    },
    "replay": {"loopspec replay report.jsonl 'AMD-DEPTH-*'": "Judges the recorded observations of an area again."},
    "fuzz": {
        "loopspec fuzz py:my_adapter:Mine --seconds 600": "Compares an agent with the reference, for ten minutes.",
        "loopspec fuzz py:my_adapter:Mine --role backend": "Compares a backend with the reference in generated calls.",
        "loopspec fuzz cmd:./mine cmd:./theirs --known known.toml": "Compares two programs, except for what is known.",
    },
    "known": {
        "loopspec known": "Lists the implementations with an adapter, and their versions.",
        "loopspec known --summary langchain@1.2.18": "Judges a version, and prints the verdict on each rule.",
        "loopspec known --remove all": "Removes the environments from the cache.",
    },
    "explain": {
        "loopspec explain AMD-DEPTH-02": "Prints a rule with its source, its decision and its examples.",
        "loopspec explain AMD-DEPTH-02 reference": "Also says whether the reference passes.",
    },
    "list": {"loopspec list 'AMD-CACHE*'": "Lists the rules of an area."},
    "phrases": {"loopspec phrases": "Prints the phrasebook."},
    "capabilities": {"loopspec capabilities reference": "Marks what the reference declares."},
    "show": {"loopspec show": "Prints what an agent receives for the example project."},
    "lint": {
        "loopspec lint": "Lints the current folder, as the tools read it that its files mean.",
        "loopspec lint --as claude-code --as codex": "Lints the folder for two tools.",
        "loopspec lint --format sarif": "Prints the findings for a code-scanning service.",
    },
    "docs": {"loopspec docs site": "Writes this site into the folder `site`."},
    "panels": {"loopspec panels reference panels.html": "Writes the forms of the built-in strategies."},
    "protocol": {"loopspec protocol": "Prints the schema.", "loopspec protocol --page": "Prints the page."},
    "serve": {"loopspec serve reference": "Is a complete adapter on standard input and output."},
    "selftest": {"loopspec selftest": "Judges every mutant by the cases of its area."},
    "help": {"loopspec help baseline prune": "Prints the options of one command."},
    "completion": {"loopspec completion bash": "Prints a script for bash; needs the extra `completion`."},
}
_OTHERS = "Help"


def manual() -> CommandLine:
    """Every command with its options, as the parser has them."""
    groups = {name: group for group, names in GROUPS.items() for name in names}
    found = [_command(name, groups.get(name.split()[0], _OTHERS), one) for name, one in _leaves(parser(), "")]
    order = [*groups, *(command.name for command in found)]
    return CommandLine(tuple(sorted(found, key=lambda one: order.index(one.name.split()[0]))), EXIT_CODES)


def _leaves(whole: argparse.ArgumentParser, above: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parsers of the commands without commands of their own, each with the words that it is called by."""
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                inner = list(_leaves(below, f"{above}{name} "))
                yield from inner or [(f"{above}{name}", below)]


def _command(name: str, group: str, found: argparse.ArgumentParser) -> Command:
    actions = [action for action in found._actions if action.help != argparse.SUPPRESS]
    return Command(
        name=name,
        group=group,
        says=found.description or "",
        usage=_usage(found),
        arguments=tuple(_argument(action) for action in actions if not action.option_strings),
        options=tuple(_argument(action) for action in actions if action.option_strings),
        examples=tuple(Example(line, says) for line, says in EXAMPLES.get(name, {}).items()),
    )


def _usage(found: argparse.ArgumentParser) -> tuple[str, ...]:
    """The parts of the usage: the command, then each option and argument."""
    line = " ".join(found.format_usage().removeprefix("usage: ").split())
    rest = line.removeprefix(found.prog)
    return (found.prog, *re.findall(r"\[(?:[^][]|\[[^][]*\])*\]|\S+", rest))


def _argument(action: argparse.Action) -> Argument:
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if isinstance(action.choices, list | tuple) and not action.metavar:
        value = action.dest.upper()
    names = ", ".join(action.option_strings)
    shown = f"{names} {value}" if names and value else names or value
    optional = action.nargs in ("?", "*")
    return Argument(
        names=f"{names} [{value}]" if names and optional else f"[{value}]" if optional else shown,
        says=action.help or "",
        default="" if action.default in (None, False, "", [], argparse.SUPPRESS) else str(action.default),
        choices=tuple(map(str, action.choices or ())),
        repeats=isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"),
    )
