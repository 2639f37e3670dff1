"""The course is true: each program runs when it is copied, prints what its page says, and each page has its parts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from loopspec.pages.rules import rules
from loopspec.specification.museum import museum
from loopspec_docs.site.navigation import COURSE as PAGES

from ..examples.endpoint import Response, event, serving

FOLDER = Path(__file__).parents[2] / "conformance" / "loopspec" / "guide" / "course"
COURSE = tuple(PAGES)
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}
MOST_WORDS = 900
PARTS = ["The rules that this follows", "What goes wrong in practice", "Try"]
LEFT_OUT = "[…]\n"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


class Block(NamedTuple):
    """A block of a page: its language and its text."""

    language: str
    text: str


def blocks(text: str) -> list[Block]:
    """The blocks of a text, in their order."""
    return [Block(*found) for found in _BLOCK.findall(text)]


def items(part: str) -> list[str]:
    """The items of the first list of a part, each on one line."""
    found = re.search(r"(?:^- .*\n(?:  .*\n)*)+", part, re.MULTILINE)
    return [" ".join(item.split()) for item in found[0].removeprefix("- ").split("\n- ")] if found else []


def parts(page: str) -> dict[str, str]:
    """The sections of a page by their headings, without what precedes the first."""
    _, *found = re.split(r"^## (.*)\n", TEXTS[page], flags=re.MULTILINE)
    return dict(zip(found[::2], found[1::2], strict=True))


def words(text: str) -> int:
    """The number of words of a text, without its code and the addresses of its links."""
    return len(re.findall(r"\w[\w'’.-]*", _LINK.sub(r"\1", _BLOCK.sub("", text))))


def changed(folder: Path, diff: str) -> None:
    """Apply the change to the one file of the folder that has the removed lines."""
    old, new = ("".join(line[1:] for line in diff.splitlines(keepends=True) if line[0] == sign) for sign in "-+")
    (file,) = (path for path in folder.glob("*.py") if old in path.read_text(encoding="utf-8"))
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def output(session: str, folder: Path) -> tuple[str, str]:
    """What the command of a session prints, and what the page says."""
    command, _, said = session.removeprefix("$ ").partition("\n")
    own = str(Path(sys.executable).parent)
    env = {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
    env |= {"HOME": str(folder), "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}
    chunks = ["Air", " scatters", " blue light", " more than red light."]
    with serving() as endpoint:
        endpoint.responses = [Response([*(event({"content": text}) for text in chunks), event({}, "stop")])]
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**env, **endpoint.env, "OPENAI_API_KEY": "secret"},
            capture_output=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
    assert ran.stderr == ""
    return ran.stdout.rstrip(), said.rstrip()


def is_as_said(printed: str, said: str) -> bool:
    """Whether a program has printed what its page says. A page may leave out lines."""
    return bool(re.fullmatch(".*".join(map(re.escape, said.split(LEFT_OUT))), printed, re.DOTALL))


@pytest.mark.parametrize("page", COURSE)
def test_each_program_prints_what_its_page_says(page: str, tmp_path: Path) -> None:
    """In an empty folder, with `scripted.py` of page 1: the programs first, then the change of "Try"."""
    first = next(block for block in blocks(TEXTS[COURSE[0]]) if block.text.startswith("# scripted.py\n"))
    programs = [first, *(block for block in blocks(TEXTS[page]) if block.language == "python")]
    for program in programs:
        name = re.match(r"# (\w+\.py)\n", program.text)
        assert name, f"a program names its file: {program.text:.60}"
        (tmp_path / name[1]).write_text(program.text, encoding="utf-8")

    count = 0
    for block in blocks(TEXTS[page]):
        if block.language == "diff":
            changed(tmp_path, block.text)
        elif block.language == "console":
            printed, said = output(block.text, tmp_path)
            assert is_as_said(printed, said), printed
            count += 1
    assert count >= 2


def test_a_wrong_output_is_noticed() -> None:
    """A line too many, a line too few, another line; and a page that leaves out lines is right."""
    assert is_as_said("a\nb\nc", "a\n[…]\nc")
    assert [said for said in ("a\nb", "a\nb\nc\nd", "a\nx\nc", "b\n[…]\nc") if is_as_said("a\nb\nc", said)] == []


@pytest.mark.parametrize("page", COURSE)
def test_a_page_has_its_parts_in_order(page: str) -> None:
    """Its place in the course, prose before code, the three last parts, one change, and the next page."""
    text, own, number = TEXTS[page], blocks(TEXTS[page]), COURSE.index(page) + 1
    assert re.match(rf'# .+\n\nPage {number} of {len(COURSE)} of the course "How an agent loop works"\.', text)
    assert words(text.partition("```")[0]) >= 60
    assert words(text) <= MOST_WORDS, words(text)

    assert [*parts(page)][-3:] == PARTS
    assert [block.language for block in blocks(parts(page)["Try"])] == ["diff", "console"]
    programs = [block.text.split()[1] for block in own if block.language == "python"]
    changed_one = re.match(r"[^`]*`(\w+\.py)`", parts(page)["Try"])  # which one, if it can be one of several
    assert changed_one[1] in programs if changed_one else len({*programs} - {"scripted.py"}) == 1
    assert {block.language for block in own} <= {"python", "console", "diff", "text", "sh"}
    assert all(
        line.startswith(("python -m pip", "export "))
        for one in own
        if one.language == "sh"
        for line in one.text.splitlines()
    )
    following = COURSE[number] if number < len(COURSE) else None
    assert re.findall(r"^Next: \[.+\]\((.+)\.md\)$", text, re.MULTILINE) == ([following] if following else [])


@pytest.mark.parametrize("page", COURSE)
def test_a_page_names_rules_and_bugs_that_exist(page: str) -> None:
    """Three to six rules with their sentences and their features, and two bugs of the museum in a sentence each."""
    of_rules, of_bugs = (items(parts(page)[name]) for name in PARTS[:2])
    known = {bug.link: f"{bug.project}: {bug.title}" for bug in museum()}

    assert 3 <= len(of_rules) <= 6
    for item in of_rules:
        (name, link), *_ = _LINK.findall(item)
        rule = rules()[name]
        assert item == f"[{name}]({link}): {rule.sentence}"
        assert link == f"../../../../features/{rule.file}#{name}"
    assert len(of_bugs) == 2
    for item in of_bugs:
        ((title, link),) = _LINK.findall(item)
        assert known[link] == title
        assert re.fullmatch(r"\. [A-Z](?:[^.]|\.\w)*\.", item.partition(f"({link})")[2]), item


def test_every_link_leads_to_a_file_or_to_a_bug_of_the_museum() -> None:
    """Also on a page that is read in the repository."""
    links = [(page, link) for page, text in TEXTS.items() for _, link in _LINK.findall(_BLOCK.sub("", text))]
    bugs = {bug.link for bug in museum()}

    assert [one for one in links if one[1].startswith("https:") and one[1] not in bugs] == []
    assert [
        one for one in links if not one[1].startswith("https:") and not (FOLDER / one[1].partition("#")[0]).exists()
    ] == []


def test_the_course_has_ten_pages() -> None:
    """In the order in which the site lists them; the page of the guide has all of them."""
    guide = (FOLDER.parent / "README.md").read_text(encoding="utf-8")

    assert len(COURSE) == 10
    assert set(TEXTS) == set(COURSE)
    assert re.findall(r"\(course/([\w-]+)\.md\)", guide) == list(COURSE)
