"""The command of stored histories, and what `loopspec explain` prints of its rules."""

from __future__ import annotations

from pathlib import Path

from loopspec.cli.command import READ, Command, Parser


def _check(parser: Parser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="a history or a trace, or a folder of them")
    parser.add_argument("--format", metavar="NAME", help="the format of the files (recognized)")
    who = "who gets the next request: anthropic, gemini, openai-chat or openai-responses (the format's)"
    parser.add_argument("--for", dest="provider", action="append", default=[], metavar="PROVIDER", help=who)
    parser.add_argument("--quote", action="store_true", help="print contents, which may be secret")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON object for each finding")
    form.add_argument("--sarif", action="store_true", help="print the findings for a code-scanning service")


CHECK = Command(
    "check",
    READ,
    "find what is wrong with stored histories of agents",
    "loopspec_check.check_command:check",
    _check,
    {
        "loopspec check session.jsonl": "Says whether the session can go on, and what is wrong if it cannot.",
        "loopspec check ~/.codex/sessions": "Checks a folder of sessions, with a table by rule.",
        "loopspec check --for anthropic history.json": "Says what Anthropic refuses.",
    },
)


def explain_check(name: str) -> None:
    """Print one rule with the providers that refuse a request, or a line for each. Raises `UsageError` for another."""
    from loopspec.cli.described import explain_described
    from loopspec.cli.page import paragraph

    from .rules import known

    if (rule := explain_described("check", known().rules, name)) is None:
        return
    for provider, link in rule.refused.items():
        paragraph(link, lead=[(f"refused by {known().providers[provider].title}: ", "bold")], indent=2, hang=2)
    if rule.rules:
        paragraph(", ".join(rule.rules), lead=[("rules of an agent loop: ", "bold")], indent=2, hang=2)
