"""The page "Write an agent adapter" goes from a loop of 70 lines to 120 passed cases."""

from __future__ import annotations

import re
import sys
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from loopspec.engine.judge import judge
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

PAGE = (resources.files("loopspec") / "guide" / "write-an-agent-adapter.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```python\n(?=# (\w+)\.py\n)(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_loop_has_seventy_lines() -> None:
    """The page says so."""
    assert list(FILES) == ["my_loop", "my_agent", "my_hooks"]
    assert 60 <= len(FILES["my_loop"].splitlines()) <= 75


@pytest.mark.parametrize(("target", "passed"), [("my_agent:Plain", 70), ("my_hooks:Mine", 120)])
def test_the_page_ends_with_120_passed_cases(
    target: str, passed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No case is errored; fewer than one case in ten fails."""
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    adapter = resolve(f"py:{target}")
    verdicts = Counter(judge(case, adapter).verdict for case in compiled() if "agent" in case.roles)
    adapter.close()
    for name in FILES:
        monkeypatch.delitem(sys.modules, name, raising=False)

    assert verdicts["passed"] >= passed
    assert set(verdicts) <= {"passed", "failed", "inapplicable"}
    assert verdicts["failed"] * 10 < verdicts["passed"] + verdicts["failed"]


# What few frameworks need is in modules of its own, as in an adapter: callbacks around tools, cancel requests, and the
# plugin layer.
FURTHER = ("cancelling.py", "plugins.py", "tool_callbacks.py")


def test_the_toolkit_is_small() -> None:
    """The modules of the toolkit have at most 600 lines of code and text together, and at most 300 each."""
    modules = [one for one in (resources.files("loopspec") / "adapting").iterdir() if one.name.endswith(".py")]
    sizes = {
        one.name: sum(bool(line.strip()) for line in one.read_text(encoding="utf-8").splitlines()) for one in modules
    }

    assert sum(size for name, size in sizes.items() if name not in FURTHER) <= 600
    assert sum(sizes[name] for name in FURTHER) <= 150
    assert max(sizes.values()) <= 300
