"""What `loopspec lint` finds in many repositories: counts by rule, and each error to be read by a person.

    python -m tools.lint_corpus FOLDER [--rule LINT-01]

FOLDER has a checkout of each repository, in a folder of its own.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from loopspec.engine.output import counted
from loopspec_instructions.linting import Finding, lint, rules


def main() -> None:
    """Print the findings that are errors, or those of one rule, and then the table of all rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rule", choices=rules(), help="print the findings of this rule")
    args = parser.parse_args()
    found = {path: lint(path) for path in sorted(args.folder.iterdir()) if path.is_dir()}
    linted = {path: report.findings for path, report in found.items() if report.files}
    for path, findings in linted.items():
        for one in findings:
            if one.rule == args.rule or (not args.rule and one.severity == "error"):
                print(f"{path.name}/{one.path}:{one.line}: {one.rule} {one.message}")
                print(f"    {_line(path / one.path, one.line)}")
    print()
    print("\n".join(table(list(linted.values()))))


def _line(path: Path, line: int) -> str:
    """The line of a finding, for the person who judges it."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()[line - 1].strip()[:200]
    except (OSError, IndexError):
        return "(no line)"


def table(repositories: list[tuple[Finding, ...]]) -> list[str]:
    """A table in Markdown: for each rule its findings, and the repositories that have some."""
    findings = Counter(one.rule for of in repositories for one in of)
    having = Counter(rule for of in repositories for rule in {one.rule for one in of})
    quiet = sum(not any(one.severity != "note" for one in of) for of in repositories)
    passing = sum(not any(one.severity == "error" for one in of) for of in repositories)
    lines = [
        counted(len(repositories), "repository", "repositories"),
        f"{passing} without errors, {quiet} without errors and warnings",
        "",
        "| rule | what goes wrong | level | findings | repositories |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for rule, number in findings.most_common():
        one = rules()[rule]
        lines.append(f"| {rule} | {one.title} | {one.severity} | {number} | {having[rule]} |")
    return lines


if __name__ == "__main__":
    main()
