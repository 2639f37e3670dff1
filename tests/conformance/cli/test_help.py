"""`loopspec` without a command, `loopspec help` and `loopspec completion`."""

from __future__ import annotations

import argparse
import builtins
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopspec.cli.command import Parser
from loopspec.cli.core import commands as declared_commands
from loopspec.cli.core import parser

from .in_process import Loopspec


def commands(of: Parser) -> dict[str, Parser]:
    """The commands of a parser by name."""
    return {
        name: command
        for action in of._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, command in action.choices.items()
    }


def leaves(of: Parser) -> Iterator[Parser]:
    """All commands that have no subcommands."""
    for command in commands(of).values():
        yield from leaves(command) if commands(command) else (command,)


def test_the_help_fits_a_screen(loopspec: Loopspec) -> None:
    """The help has 24 lines of at most 80 characters, with every command once, the first steps first."""
    ended = loopspec("help")

    lines = ended.out.splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert (ended.code, ended.err) == (0, "")
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert sorted([*named, "help", "completion"]) == sorted(commands(parser()))
    assert named[:3] == ["init", "doctor", "run"]
    assert lines[-1] == "Options: `loopspec help COMMAND`. Completion: `loopspec completion SHELL`."


def test_without_a_command_the_help_is_printed(loopspec: Loopspec) -> None:
    """The help goes to standard error with exit code 2, so a script that lost its arguments fails."""
    ended = loopspec()

    assert (ended.code, ended.out) == (2, "")
    assert ended.err == loopspec("help").out == loopspec("--help").out


def test_a_group_of_commands_prints_its_help(loopspec: Loopspec) -> None:
    """A group without a subcommand prints its help to standard error with exit code 2."""
    ended = loopspec("baseline")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err == loopspec("baseline", "--help").out
    assert "prune" in ended.err


@pytest.mark.parametrize("names", [["run"], ["baseline", "prune"], ["help"]], ids=" ".join)
def test_help_command_prints_the_help_of_the_command(names: list[str], loopspec: Loopspec) -> None:
    """`help COMMAND` prints the same as `COMMAND --help`."""
    ended = loopspec("help", *names)

    assert ended.code == 0
    assert ended.out.startswith(f"usage: loopspec {' '.join(names)} [-h]")
    assert ended.out == loopspec(*names, "--help").out


def test_every_command_and_argument_says_what_it_is() -> None:
    """Every command and every argument has a help text."""
    silent = [
        f"{command.prog} {action.dest}"
        for command in leaves(parser())
        for action in command._actions
        if not action.help
    ]

    assert silent == []
    assert [command.prog for command in leaves(parser()) if not command.description] == []


def test_every_command_has_an_example_that_the_parser_takes() -> None:
    """And the examples are of commands that exist."""
    examples = [line for command in declared_commands() for line in command.examples]
    for command in leaves(parser()):
        assert any(f"{line} ".startswith(f"{command.prog} ") for line in examples), command.prog
    for line in examples:
        program, *words = shlex.split(line)
        assert program == "loopspec"
        assert f"{line} ".startswith(f"{parser(words).parse_args(words).parser.prog} ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_prints_a_script_with_every_command(shell: str, loopspec: Loopspec) -> None:
    """The script is generated from the parser."""
    ended = loopspec("completion", shell)

    assert (ended.code, ended.err) == (0, "")
    assert [name for name in commands(parser()) if name not in ended.out] == []


def test_bash_completes_commands_options_and_choices(here: Path, loopspec: Loopspec) -> None:
    """Bash completes commands, options and choices with the printed script, and files where a file is expected."""
    bash = shutil.which("bash")
    assert bash is not None
    (here / "loopspec.sh").write_text(loopspec("completion", "bash").out, encoding="utf-8")
    script = 'source ./loopspec.sh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_loopspec; echo "${COMPREPLY[@]}"'

    def completed(*words: str) -> list[str]:
        command = [bash, "-c", script, "bash", "loopspec", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert completed("do") == ["doctor", "docs"]
    assert completed("baseline", "") == ["prune", "rename"]
    assert {"--rule", "--lf", "--baseline"} <= set(completed("run", "--"))
    assert completed("run", "--role", "mid") == ["middleware"]
    assert completed("run", "--baseline", "bro") == ["broken.py"]


def test_completion_names_the_missing_extra(loopspec: Loopspec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the command names the missing package."""
    real = builtins.__import__

    def missing(name: str, *rest: object) -> object:
        if name == "shtab":
            raise ModuleNotFoundError(name)
        return real(name, *rest)  # type: ignore[arg-type]  # passed on unchanged

    monkeypatch.delitem(sys.modules, "shtab", raising=False)
    monkeypatch.setattr(builtins, "__import__", missing)

    ended = loopspec("completion", "bash")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "loopspec: completion needs shtab: python -m pip install 'loopspec[completion]'\n"
