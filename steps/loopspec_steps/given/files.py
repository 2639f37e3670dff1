"""Given: files, and the results of reading them."""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from loopspec.contract.scene import Change, File
from loopspec.contract.values import Began

from ..builders.scene import SceneBuilder
from ..cells import NAMES, NUMBER, PATH, TEXT, file_of
from ..declarations import Column, Columns, PhraseError, Table
from ..faults import FAULTS
from ..gates import MOMENT, moment_of
from ..phrasebook import given

AGENTS_MD = "/project/agents.md"

FILE = Column("path", "The path of the file.", PATH, required=True)
CONTENT = Column(
    "content",
    "The content of the file; `\\n` and the other escapes of a text stand for characters.",
    TEXT,
    required=True,
)
SIZE = Column("bytes", "The size of the file, its imports included.", NUMBER, required=True)
IMPORTS = Column("imports", "The paths that the file imports in its first lines; none by default.", NAMES)

FILES: Columns[Column[object]] = Columns("files", "Files with their contents, one per row.", FILE, CONTENT)
SIZES: Columns[Column[object]] = Columns("sizes", "Files with their sizes, one per row.", FILE, SIZE, IMPORTS)


@given('the file "{path}"')
def file_with_text(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A file with the text below the step as its content."""
    scene_builder.write(path, File(text=docstring))


@given('the file "{path}" containing "{content}"')
def file_holding(scene_builder: SceneBuilder, path: str, content: str) -> None:
    r"""A file. In the content, `\n`, `\r`, `\t` and `\uXXXX` stand for characters and `\xXX` for bytes."""
    scene_builder.write(path, file_of(content))


@given('the instructions file "{path}"')
def instructions_file(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A configured file with the text below the step as its content."""
    scene_builder.configure(path)
    scene_builder.write(path, File(text=docstring))


@given('the instructions file "{path}" containing "{content}"')
def instructions_file_holding(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A configured file with this content."""
    scene_builder.configure(path)
    scene_builder.write(path, file_of(content))


@given('an instructions file containing "{content}"')
def instructions_file_that_says(scene_builder: SceneBuilder, content: str) -> None:
    """The configured file "/project/agents.md" with this content."""
    scene_builder.configure(AGENTS_MD)
    scene_builder.write(AGENTS_MD, file_of(content))


@given("the files", FILES)
def files(scene_builder: SceneBuilder, table: Table) -> None:
    """Files with their paths and contents."""
    for row in table:
        scene_builder.write(FILE.read(row), file_of(CONTENT.text(row)))


@given("files of these sizes", SIZES)
def files_of_sizes(scene_builder: SceneBuilder, table: Table) -> None:
    """Files of exactly this many bytes, the imports in their first lines included."""
    for row in table:
        imports = "".join(f"@{path}\n" for path in IMPORTS.of(row, ()))
        filling = SIZE.read(row) - len(imports)
        if filling < 0:
            raise PhraseError(f"{FILE.read(row)}: {SIZE.text(row)} bytes do not hold its imports")
        scene_builder.write(FILE.read(row), File(text=imports + "." * filling))


@given('an import chain from "{path}" that reaches level {level:d}')
def import_chain(scene_builder: SceneBuilder, path: str, level: int) -> None:
    """A configured file level0.md and the files level1.md, level2.md and so on, each imported by the file before."""
    folder = posixpath.dirname(path)
    scene_builder.configure(path)
    for n in range(level + 1):
        text = f"Level {n}, then @level{n + 1}.md" if n < level else f"Level {n}"
        scene_builder.write(f"{folder}/level{n}.md", File(text=text))


@given('reading "{path}" fails with {fault}', fault=FAULTS)
def reading_fails(scene_builder: SceneBuilder, path: str, fault: str) -> None:
    """Every read of the file fails with the error."""
    scene_builder.files[path] = replace(scene_builder.about(path), fault=FAULTS.read(fault))


@given('reading "{path}" returns no content object')
def reading_gives_nothing(scene_builder: SceneBuilder, path: str) -> None:
    """Every read of the file succeeds without content. Needs the capability nil-values."""
    scene_builder.files[path] = replace(scene_builder.about(path), nothing=True)


@given('reading "{path}" waits until run {run:d} starts')
def reading_waits_for_run(scene_builder: SceneBuilder, path: str, run: int) -> None:
    """Every read of the file waits until the run begins."""
    scene_builder.files[path] = replace(scene_builder.about(path), held=Began(run=str(run)))


@given('reading "{path}" succeeds from {moment} on', moment=MOMENT)
def reading_works_from(scene_builder: SceneBuilder, path: str, moment: str) -> None:
    """Reads of the file succeed from the moment on."""
    scene_builder.change(moment_of(moment), path, replace(scene_builder.about(path), fault=None))


@given('"{path}" contains "{content}" from {moment} on', moment=MOMENT)
def holds_from(scene_builder: SceneBuilder, path: str, content: str, moment: str) -> None:
    """The content of the file changes at the moment; a missing file is created."""
    scene_builder.change(moment_of(moment), path, file_of(content))


@given('the language is "{language}" from {moment} on', moment=MOMENT)
def language_from(scene_builder: SceneBuilder, language: str, moment: str) -> None:
    """The language is chosen at the moment."""
    scene_builder.changes.append(Change(at=moment_of(moment), language=language))
