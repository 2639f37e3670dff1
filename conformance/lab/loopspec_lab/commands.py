"""The commands of the lab."""

from __future__ import annotations

from pathlib import Path

from loopspec.cli.command import TARGET, TEST, WRITE, Command, Parser, seconds


def _fuzz(parser: Parser) -> None:
    parser.add_argument("target", metavar="TARGET", help=TARGET)
    parser.add_argument(
        "other",
        nargs="?",
        default="reference",
        metavar="OTHER",
        help="the target to compare with (reference); different postures are named, and pass over no difference",
    )
    parser.add_argument(
        "--dialect", metavar="NAME", help="compare how both targets read generated workspaces, in this dialect"
    )
    parser.add_argument(
        "--role",
        choices=["backend", "workspace"],
        help="compare the targets in this role only (agents and loads if both targets have them)",
    )
    parser.add_argument("--seconds", type=seconds, default=60.0, metavar="N", help="how long to search (60)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="an equal seed generates equal scenes (0)")
    parser.add_argument("--known", type=Path, metavar="FILE", help="differences that are known (TOML)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the differences (JSON lines)")
    parser.add_argument("--timeout", type=seconds, default=10.0, metavar="SECONDS", help="deadline of one scene (10)")
    parser.add_argument(
        "-x",
        dest="stop_early",
        action="store_true",
        help="stop after the first new difference that follows from no posture",
    )


def _selftest(parser: Parser) -> None:
    parser.add_argument(
        "mutants", nargs="*", metavar="MUTANT", help="a mutant or a rule, also as a pattern; default: all"
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="judge each mutant by all cases, not only its own area's, and the null targets",
    )
    parser.add_argument("--museum", action="store_true", help="judge the bugs of real projects instead")
    parser.add_argument(
        "--conditions",
        action="store_true",
        help="judge mutants that are wrong only while a condition holds, such as in a resumed run; print the matrix",
    )
    parser.add_argument(
        "--variants", action="append", default=[], metavar="all|GLOB", help="with --conditions: also in these variants"
    )
    parser.add_argument("--shard", metavar="I/N", help="with --conditions: judge the I-th of N parts of the rules")


FUZZ = Command(
    "fuzz",
    TEST,
    "find differences between two targets with generated scenes",
    "loopspec_lab.fuzzing.command:fuzz",
    _fuzz,
    {
        "loopspec fuzz py:my_adapter:Mine --seconds 600": "Compares an agent with the reference, for ten minutes.",
        "loopspec fuzz py:my_adapter:Mine --role backend": (
            "Compares a backend with the reference in generated calls."
        ),
        "loopspec fuzz cmd:./mine cmd:./theirs --known known.toml": (
            "Compares two programs, except for what is known."
        ),
    },
)

SELFTEST = Command(
    "selftest",
    WRITE,
    "judge seeded mutants, which the suite must catch",
    "loopspec_lab.selftest:selftest",
    _selftest,
    {
        "loopspec selftest": "Judges every mutant by the cases of its area.",
        "loopspec selftest --conditions 'LOOP-*'": "Judges the mutants of an area, each under every condition.",
    },
)
