"""The run as JUnit XML, for CI systems that show such files."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from ..engine.output import write_text
from ..specification.cases import area_of
from .account import Account, ReportedCase

# XML 1.0 cannot hold these, escaped or not.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(path: Path, account: Account) -> None:
    """Write the run. What did not run, and whoever's fault that is, is an error; a known failure is skipped."""
    suites: dict[str, ElementTree.Element] = {}
    root = ElementTree.Element("testsuites", name=_clean(f"loopspec {account.run.target}"))
    for reported in account.cases:
        area = area_of(reported.case.rule.ids[0])
        if area not in suites:
            suites[area] = ElementTree.SubElement(root, "testsuite", name=area)
        _add(suites[area], reported)
    for suite in (root, *suites.values()):
        cases = suite.findall(".//testcase")
        suite.set("tests", str(len(cases)))
        for count, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(count, str(len(suite.findall(f".//{child}"))))
        suite.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.6f}")
    ElementTree.indent(root)
    write_text(path, ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n")


def _add(suite: ElementTree.Element, reported: ReportedCase) -> None:
    case, line = reported.case, reported.line
    node = ElementTree.SubElement(
        suite,
        "testcase",
        classname=case.file,
        name=_clean(case.id),
        file=case.file,
        line=str(case.line),
        time=f"{line.seconds:.6f}",
    )
    if reported.verdict == "passed":
        return
    tags = {"failed": "failure", "stale": "failure", "known": "skipped", "inapplicable": "skipped"}
    tag = tags.get(reported.verdict, "error")
    child = ElementTree.SubElement(node, tag, type=reported.verdict, message=_clean(line.message.partition("\n")[0]))
    child.text = _clean(f"{case.rule.sentence}\n{line.location}\n{line.message}")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
