"""A run as JUnit XML, for the test views of CI systems."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ..contract.axes import DIALECT
from ..specification.cases import area_of
from .account import Account, ReportedCase, ending

# characters that XML 1.0 cannot represent, escaped or not
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_xml(account: Account) -> str:
    """The run; the output of each suite is the last sentence of the run.

    Failures and errors are the cases that fail the run. Known failures are skipped; so are failures of advisory rules,
    except under `strict`.
    """
    suites: dict[str, ElementTree.Element] = {}
    root = ElementTree.Element("testsuites", name=_clean(f"loopspec {account.run.target}"))
    for reported in account.cases:
        area = area_of(reported.case.rule.ids[0])
        if area not in suites:
            suites[area] = ElementTree.SubElement(root, "testsuite", name=area)
            if account.run.postures:
                properties = ElementTree.SubElement(suites[area], "properties")
                for axis, posture in account.run.postures.items():
                    name = axis if axis == DIALECT else f"posture {axis}"
                    ElementTree.SubElement(properties, "property", name=name, value=posture.value)
        _add(suites[area], reported, fails_run=account.fails_run(reported.line))
    for suite in (root, *suites.values()):
        cases = suite.findall(".//testcase")
        suite.set("tests", str(len(cases)))
        for count, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(count, str(len(suite.findall(f".//{child}"))))
        suite.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.6f}")
    for suite in suites.values():
        ElementTree.SubElement(suite, "system-out").text = _clean(ending(account))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(suite: ElementTree.Element, reported: ReportedCase, *, fails_run: bool) -> None:
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
    if line.verdict == "passed":
        return
    tags = {"failed": "failure", "stale": "failure", "known": "skipped", "inapplicable": "skipped"}
    tag, message = tags.get(line.verdict, "error"), line.message
    if line.cause:
        message = f"known ({line.kind or 'no kind'}): {line.cause}: {message}"
    if line.verdict == "failed" and not fails_run:
        tag, message = "skipped", f"advisory, so it counts under --strict only: {message}"
    child = ElementTree.SubElement(node, tag, type=line.verdict, message=_clean(message.partition("\n")[0]))
    child.text = _clean(f"{case.rule.sentence}\n{line.location}\n{message}")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
