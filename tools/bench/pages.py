"""The report page: time to make it, size, and load time in a browser."""

from __future__ import annotations

import html
import json
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as altered
from itertools import count
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Browser, sync_playwright

from loopspec.contract.observation import Observation
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.specification import digest
from loopspec.contract.target import Identity
from loopspec.engine.judge import role_for
from loopspec.engine.perform import perform
from loopspec.engine.result import CaseLine
from loopspec.engine.run import Summary, by_verdict
from loopspec.pages.report.page import page_of
from loopspec.pages.rules import PageRule, rules
from loopspec.reports.jsonl import RunLine, write_report
from loopspec.reports.merging import read_accounts
from loopspec.specification.cases import Case, area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import cases_by_rule
from loopspec.targets.resolve import resolve

from .measuring import LeftOut, Row, best_in_turns, best_of, cpu_seconds

CASES, IMPLEMENTATIONS = 2_000, 6
BROKEN = 8  # one of so many cases does not pass, in all implementations except the first
SECONDS, MEGABYTES, TIMES = 3.0, 5.0, 3.0
ROUNDS = 5


def enlarged() -> tuple[dict[str, PageRule], list[tuple[str, Case]]]:
    """The suite's rules with enough copies to make up the cases, each case by its id."""
    all_rules, found = dict(rules()), []
    of_rule = cases_by_rule()
    for copy in count():
        for name, cases in of_rule.items():
            new = name if not copy else f"{area_of(name)}-{copy}{name.rpartition('-')[2]}"
            all_rules[new] = replace(rules()[name], id=new)
            for case in cases:
                if case.rule.ids[0] == name:
                    found.append((f"{new} :: {case.title}", case))
                    if len(found) == CASES:
                        return all_rules, found
    raise AssertionError


def lines_of(number: int, cases: Sequence[tuple[str, Case]], seen: Mapping[str, Observation]) -> Iterator[CaseLine]:
    """The lines of one report. A case that does not pass has the reference's observation."""
    for place, (name, case) in enumerate(cases):
        about = (name.partition(" :: ")[0],)
        if not number or (place + number) % BROKEN:
            yield CaseLine(case=name, rules=about, verdict="passed", seconds=0.01, location="", message="")
        else:
            step, _ = case.checks[-1]
            yield CaseLine(
                case=name,
                rules=about,
                verdict="failed" if number % 2 else "known",
                seconds=0.01,
                location=f"{case.file}:{step.line}",
                message="the conversation\n  expected: so\n  seen: not so",
                step=str(step),
                expected="\n    system | Be brief. |\n    user | Hello. |",
                seen="\n    user | Hello. |",
                scene=case.scene,
                observation=seen.get(case.id),
                evidence={"stderr": f"{name}: warning: something was not as it should be\n" * 20},
            )


def written(folder: Path, cases: Sequence[tuple[str, Case]]) -> list[Path]:
    """The reports of all implementations."""
    seen = observed()
    paths = []
    for number in range(IMPLEMENTATIONS):
        lines = list(lines_of(number, cases, seen))
        run = RunLine(
            features=digest(),
            target=f"py:package_{number}.agents:make",
            identity=Identity(name=f"Implementation {number}", version=f"1.{number}"),
            roles=("agent",),
            capabilities=(),
            role=None,
            strict=False,
            seed=0,
            planned=tuple(name for name, _ in cases),
        )
        verdicts = by_verdict(line.verdict for line in lines)
        summary = Summary(
            cases=verdicts, normative=verdicts, advisory=verdicts, no_scenario={}, planned=CASES, accounted=CASES,
            executed=CASES, canary=True, aborted="", interrupted=False, exit_code=1,
        )  # fmt: skip
        paths.append(folder / f"{number}.jsonl")
        write_report(paths[-1], [run, *lines, summary])
    return paths


def observed() -> dict[str, Observation]:
    """The reference's observation of each case that applies to it."""
    target = resolve("reference")
    found = {}
    for case in compiled():
        role = role_for(altered(case, postures={}), target)
        if not isinstance(role, Inapplicable):
            found[case.id] = perform(target, case.scene, role)
    target.close()
    return found


def ours(paths: Sequence[Path], all_rules: Mapping[str, PageRule]) -> str:
    """Make the page from the files."""
    return page_of(read_accounts(paths), all_rules)


def bare(paths: Sequence[Path]) -> int:
    """The size of a minimal page with the same contents: each line as indented JSON, escaped, and deflated."""
    lines = [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]
    return len(zlib.compress("".join(html.escape(json.dumps(line, indent=1)) for line in lines).encode()))


def load_event(browser: Browser, file: Path) -> tuple[float, int]:
    """Seconds until the end of the load event, and the number of elements."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(file.as_uri())
    seconds = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
    elements = page.evaluate("document.querySelectorAll('*').length")
    page.close()
    return float(seconds), int(elements)


def rows(short: bool) -> Iterator[Row | LeftOut]:
    """Measure the page of 2,000 cases × 6 implementations."""
    rounds = 1 if short else ROUNDS
    all_rules, cases = enlarged()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = written(folder, cases)
        page = folder / "page.html"
        page.write_text(ours(paths, all_rules), encoding="utf-8")
        making = best_of(lambda: cpu_seconds(lambda: ours(paths, all_rules)), rounds)
        least = best_of(lambda: cpu_seconds(lambda: bare(paths)), rounds)
        megabytes = page.stat().st_size / 1e6
        what = f"{CASES:,} × {IMPLEMENTATIONS}"
        yield Row(f"page of {what}, made", making, least, "the same reports indented, escaped and deflated", 3)
        yield Row(f"page of {what}, made", making, SECONDS, f"{SECONDS:g} s", 1)
        yield Row(f"page of {what}, megabytes", megabytes, MEGABYTES, f"{MEGABYTES:g} MB", 1)
        yield _loading(folder, page, what, rounds)


def _loading(folder: Path, page: Path, what: str, rounds: int) -> Row | LeftOut:
    chromium = shutil.which("chromium")
    if chromium is None:
        return LeftOut(f"page of {what}, load event", "there is no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        _, elements = load_event(browser, page)
        plain = folder / "plain.html"
        head = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>plain</title></head><body>'
        plain.write_text(head + "<p>passed</p>\n" * (elements - 5) + "</body></html>", encoding="utf-8")
        own, theirs = best_in_turns(rounds, lambda: load_event(browser, page)[0], lambda: load_event(browser, plain)[0])
        browser.close()
    return Row(f"page of {what}, load event", own, theirs, f"a plain page of {elements:,} elements", TIMES)
