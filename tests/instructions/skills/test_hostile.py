"""Skills that no person wrote: nothing raises, nothing hangs, and nothing is read without a bound."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from loopspec_instructions.answers import skill_dialects, values_of
from loopspec_instructions.reader import DiskFiles, MemoryFiles
from loopspec_instructions.reader.memory import Link, Special
from loopspec_instructions.skills.front_matter import front_matter
from loopspec_instructions.skills.reader import Skills, read_skills

from .trees import FRONT, skill

TOP = "/p/.agents/skills"
EACH_TOOL = pytest.mark.parametrize("name", [name for name in skill_dialects() if name != "claude-code"])


def read(name: str, nodes: dict[str, object]) -> Skills:
    """The reading of files in memory."""
    files = MemoryFiles({"/p/.git/HEAD": "", "/h/x": "", **nodes})  # type: ignore[dict-item]  # nodes of any kind
    return read_skills(files, "/p", "/h", values_of(name))


@EACH_TOOL
def test_what_is_no_file(name: str) -> None:
    odd = {
        f"{TOP}/folder/SKILL.md/x": "",
        f"{TOP}/pipe/SKILL.md": Special.PIPE,
        f"{TOP}/forbidden/SKILL.md": Special.FORBIDDEN,
        f"{TOP}/nowhere/SKILL.md": Link("nothing"),
        f"{TOP}/loop": Link("loop"),
        f"{TOP}/up": Link(".."),
        f"{TOP}/well/SKILL.md": skill("well"),
    }

    found = read(name, dict(odd))

    assert "well" in [one.name for one in found.seen]
    assert {one.path: one.reason for one in found.unseen}[f"{TOP}/forbidden/SKILL.md"] == "unreadable"


@EACH_TOOL
def test_a_skills_folder_that_is_a_file(name: str) -> None:
    assert read(name, {TOP: "no folder", "/h/.agents": "no folder"}) == Skills((), ())


@EACH_TOOL
def test_many_and_deep_folders(name: str) -> None:
    """The reader looks at 2,000 folders, eight levels deep."""
    nodes: dict[str, object] = {f"{TOP}/many{number}/SKILL.md": skill(f"many{number}") for number in range(5000)}
    nodes[f"{TOP}/{'/'.join('d' * 200)}/SKILL.md"] = skill("deep")
    start = time.process_time()

    found = read(name, nodes)

    assert 1000 < len(found.seen) < 2000
    assert "deep" not in [one.name for one in found.seen]
    assert time.process_time() - start < 20


def test_links_to_a_folder_above_end(tmp_path: Path) -> None:
    """A folder that leads to itself through many paths is looked at once."""
    top = tmp_path / "p/.agents/skills"
    (top / "one").mkdir(parents=True)
    (top / "one/SKILL.md").write_text(skill("one"), encoding="utf-8")
    for number in range(9):
        (top / f"back{number}").symlink_to(top)
        (top / f"one/back{number}").symlink_to(top)

    found = read_skills(DiskFiles(), str(tmp_path / "p"), str(tmp_path), values_of("opencode"))

    assert [one.name for one in found.seen] == ["one"]


@EACH_TOOL
def test_names_with_line_breaks_and_bytes_that_are_no_characters(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "p/.agents/skills/a\nb\udcff"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill("x"), encoding="utf-8")

    found = read_skills(DiskFiles(), str(tmp_path / "p"), str(tmp_path), values_of(name))

    assert [one.name for one in found.seen] == ["x"]


@EACH_TOOL
def test_a_file_without_end(name: str) -> None:
    """No more than four MiB of a file are read."""
    found = read(name, {f"{TOP}/x/SKILL.md": "---\n" + "name: x\n" * 2_000_000})

    assert found.seen == () or found.seen[0].name == "x"


@pytest.mark.parametrize("seed", range(200))
def test_any_front_matter(seed: int) -> None:
    """Pieces of front matter in any order never raise."""
    draw = random.Random(seed)
    texts = [text.decode(errors="replace") if isinstance(text, bytes) else text for text in FRONT.values()]
    lines = [line for text in texts for line in text[:500].split("\n")]
    lines += ["- ", "[", "{", "'", '"', '"\\ud800"', ":", "\0", "|", ">", "\t"]
    text = "---\n" + "\n".join(draw.choices(lines, k=draw.randint(0, 30))) + draw.choice(["\n---\n", "\n"])

    for name in skill_dialects():
        read(name, {f"{TOP}/x/SKILL.md": text.encode(errors="replace")})


def test_front_matter_takes_no_long_time() -> None:
    """Neither many fields nor long lines, quotes or indentation."""
    start = time.process_time()
    for body in (
        "name: x\n" * 100_000,
        "a" * 1_000_000,
        "name: '" + "'" * 1_000_000,
        " " * 1_000_000 + "name: x",
        "- \n" * 200_000,
    ):
        front_matter(f"---\n{body}\n---\n", is_exact=True)

    assert time.process_time() - start < 20


def test_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "p/.agents/skills/x").mkdir(parents=True)
    (tmp_path / "p/.agents/skills/x/SKILL.md").write_text(skill("x"), encoding="utf-8")
    before = sorted((str(path), path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))

    read_skills(DiskFiles(), str(tmp_path / "p"), str(tmp_path), values_of("pi"))

    assert sorted((str(path), path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before
