"""The command line, read from its parser: every command with its options and examples."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import get_args

from markupsafe import Markup

from loopspec.cli.command import Group
from loopspec.cli.core import commands, parser

from .markdown import Page, code, coded, joined, plain, rendered

_OTHERS = "Help"


def pages() -> Iterator[Page]:
    """Make the page."""
    declared = {command.name: command for command in commands()}
    groups: dict[str, list[dict[str, object]]] = {group: [] for group in (*get_args(Group), _OTHERS)}
    for name, one in leaves(parser()):
        command = declared[name.split()[0]]
        examples = {line: says for line, says in command.examples.items() if f"{line} ".startswith(f"loopspec {name} ")}
        known = {"name": name, "says": one.description or "", "usage": one.format_usage().removeprefix("usage: ")}
        groups[command.group or _OTHERS].append({**known, "tables": _tables(one), "examples": examples})
    yield rendered("command-line", groups=groups)


def leaves(whole: argparse.ArgumentParser, above: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parsers of the commands without commands of their own, each with the words that it is called by."""
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                inner = list(leaves(below, f"{above}{name} "))
                yield from inner or [(f"{above}{name}", below)]


def _tables(one: argparse.ArgumentParser) -> dict[str, list[tuple[Markup, Markup]]]:
    """The arguments and the options of a command, each as it is typed and with what it means."""
    found: dict[str, list[tuple[Markup, Markup]]] = {"Argument": [], "Option": []}
    for action in one._actions:
        if action.help != argparse.SUPPRESS:
            found["Option" if action.option_strings else "Argument"].append(_shown(action))
    return found


def _shown(action: argparse.Action) -> tuple[Markup, Markup]:
    """An argument or an option as it is typed, and what it means."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if isinstance(action.choices, list | tuple) and not action.metavar:
        value = action.dest.upper()
    shown = f"[{value}]" if value and action.nargs in ("?", "*") else value
    notes = [coded(action.help or "")]
    if action.choices:
        notes.append("one of " + joined((code(str(choice)) for choice in action.choices), ", "))
    if isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"):
        notes.append(plain("may be repeated"))
    if action.default not in (None, False, "", [], argparse.SUPPRESS):
        notes.append("default: " + code(str(action.default)))
    return code(" ".join(filter(None, [", ".join(action.option_strings), shown]))), joined(notes, "; ")
