"""`python -m tools.picture [REPORT …]`: make the picture of the report page in README.

The command judges the reference and LangChain, makes their report page, and writes `docs/report.png`: the page in
Chromium, with one rule open that LangChain does not pass. With two reports, the command judges nothing. It needs the
extra `langchain`, playwright and the system's Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from loopspec.pages.report.page import render
from loopspec.reports.merging import read_accounts

from .pages import ADAPTERS, ROOT
from .recorded import command

PICTURE = ROOT / "docs" / "report.png"
RULE = "HOOK-AM-01"  # LangChain calls these hooks in reverse order: three lines say so
WIDTH, HEIGHT, SCALE = 1280, 860, 1.5

# The verdicts on the rule, and below them what did not pass, begin right under the bar of the opened rule.
_SCROLL = """() => {
  const [dialog, bar, cases] = ["#opened", "#opened .tools", "#opened-cases"].map((at) => document.querySelector(at));
  dialog.scrollTop += cases.getBoundingClientRect().top - bar.getBoundingClientRect().bottom - 24;
}"""


def judge(folder: Path) -> list[Path]:
    """Write the reports of the reference and of LangChain."""
    reference, langchain = folder / "reference.jsonl", folder / "langchain.jsonl"
    _loopspec(ROOT, "run", "reference", "--report", str(reference))
    adapter = ADAPTERS / "langchain"
    _loopspec(adapter, *command(adapter), "--report", str(langchain))
    return [reference, langchain]


def _loopspec(folder: Path, *words: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        sys.exit(f"loopspec {' '.join(words)} ended with exit code {ran.returncode}:\n{ran.stdout}{ran.stderr}")


def show(reports: Sequence[Path], picture: Path) -> None:
    """Open the report page of these reports in Chromium, and write the picture."""
    from playwright.sync_api import sync_playwright  # only the command needs it, and not the test of its picture

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "report.html")
        page.write_text(render(read_accounts(reports)), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE, color_scheme="light"
        )
        window.goto(f"{page.as_uri()}#{RULE}")
        window.wait_for_selector("#opened[open] .failures .seen")
        window.evaluate(_SCROLL)
        picture.parent.mkdir(exist_ok=True)
        window.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    given = [Path(name) for name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        show(given or judge(Path(folder)), PICTURE)
