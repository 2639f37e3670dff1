"""The forms of a report: what `loopspec report` makes of reports.

A form is an entry point of `loopspec.reports`: those below are registered by the kit, and a package registers its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from ..contract.registered import all_loaded

if TYPE_CHECKING:
    from .account import Account


@dataclass(frozen=True)
class ReportForm:
    """A form of reports, by the name of its option: `--name FILE` writes it, and `--name` prints a form `is_printed`.

    `says` is the help text of the option. `makes` is the "module:function" that returns the text of an account, or of
    several if the form is not `of_one`; the module is imported when the form is requested. `reads_features`: the
    reports must be about the features in use.
    """

    name: str
    says: str
    makes: str
    of_one: bool = True
    is_printed: bool = False
    reads_features: bool = True

    def text(self, accounts: Sequence[Account]) -> str:
        """The text of these reports. Raises `UsageError` for reports that the form cannot show."""
        for account in accounts:
            if self.reads_features:
                account.must_be_current()
        text: str = resolve_name(self.makes)(accounts[0] if self.of_one else accounts)
        return text


def forms() -> tuple[ReportForm, ...]:
    """The registered forms: those that are printed, those of one run, and those of several, by name."""
    found: list[ReportForm] = all_loaded("reports")
    return tuple(sorted(found, key=lambda form: (not form.is_printed, not form.of_one, form.name)))


MARKDOWN = ReportForm(
    "markdown",
    "print a table in Markdown: areas × implementations",
    "loopspec.reports.matrix:as_table",
    of_one=False,
    is_printed=True,
    reads_features=False,
)
JUNIT = ReportForm("junit", "write the run as JUnit XML", "loopspec.reports.junit:as_xml")
SUMMARY = ReportForm("summary", "write the run as a page of Markdown, for a CI job", "loopspec.reports.summary:as_page")
MESSAGES = ReportForm(
    "messages", "write the run as Cucumber messages, for Cucumber's formatters", "loopspec.reports.messages:as_messages"
)
HTML = ReportForm(
    "html",
    "write one HTML page: implementations × rules, with the evidence",
    "loopspec.pages.report.page:render",
    of_one=False,
)
