"""The commands of `loopspec` as the site shows them. The command line itself describes them: `loopspec_docs.manual`."""

from __future__ import annotations

from msgspec import Struct


class Argument(Struct, frozen=True):
    """An argument or an option. `names` are as they are typed, with the placeholder of the value."""

    names: str
    says: str
    default: str = ""
    choices: tuple[str, ...] = ()
    repeats: bool = False


class Example(Struct, frozen=True):
    """A command as it is typed, and what it does."""

    line: str
    says: str


class Command(Struct, frozen=True):
    """A command, by the group that `loopspec help` shows it in. A line breaks between two parts of the `usage` only."""

    name: str
    group: str
    says: str
    usage: tuple[str, ...]
    arguments: tuple[Argument, ...]
    options: tuple[Argument, ...]
    examples: tuple[Example, ...]


class CommandLine(Struct, frozen=True):
    """All commands, and what each exit code says."""

    commands: tuple[Command, ...]
    exit_codes: dict[int, str]
