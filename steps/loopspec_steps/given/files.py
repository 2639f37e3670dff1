"""Given: files, the results of reading them, and the configuration of the AgentsMD middleware."""

from __future__ import annotations

import posixpath
from typing import Any

from msgspec.structs import replace

from loopspec.contract.scene import Change, File
from loopspec.contract.values import Began

from ..builders.scene import SceneBuilder
from ..cells import NAMES, NUMBER, PATH, TEXT, as_content, file_of
from ..declarations import Column, Columns, PhraseError, Table
from ..gates import MOMENT
from ..holes import FAULTS
from ..phrasebook import given
from ..settings import Added
from ..templates import Made, hole
from .parts import CONFIG, FILE, SCENE

AGENTS_MD = "/project/agents.md"
# A file with the content that the hole of this name holds.
CONTENT_OF_FILE: Any = Made(("content",), file_of, lambda file: (as_content(file.content),))

PATH_COLUMN = Column("path", "The path of the file.", PATH, required=True)
CONTENT = Column(
    "content",
    "The content of the file; `\\n` and the other escapes of a text stand for characters.",
    TEXT,
    required=True,
)
SIZE = Column("bytes", "The size of the file, its imports included.", NUMBER, required=True)
IMPORTS = Column("imports", "The paths that the file imports in its first lines; none by default.", NAMES)

FILES: Columns[Column[object]] = Columns("files", "Files with their contents, one per row.", PATH_COLUMN, CONTENT)
SIZES: Columns[Column[object]] = Columns("sizes", "Files with their sizes, one per row.", PATH_COLUMN, SIZE, IMPORTS)


@given('the file "{path}"')
def file_with_text(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A file with the text below the step as its content."""
    scene_builder.write(path, File(text=docstring))


@given('the file "{path}" containing "{content}"')
def file_containing(scene_builder: SceneBuilder, path: str, content: str) -> None:
    r"""A file. In the content, `\n`, `\r`, `\t` and `\uXXXX` stand for characters and `\xXX` for bytes."""
    scene_builder.write(path, file_of(content))


@given('the instruction file "{path}"')
def instruction_file(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A configured file with the text below the step as its content."""
    scene_builder.configure(path)
    scene_builder.write(path, File(text=docstring))


@given('the instruction file "{path}" containing "{content}"')
@given(
    'an instruction file containing "{content}"',
    meaning='The configured file "/project/agents.md" with this content.',
    path=AGENTS_MD,
)
def instruction_file_containing(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A configured file with this content."""
    scene_builder.configure(path)
    scene_builder.write(path, file_of(content))


@given("the files", FILES)
def files(scene_builder: SceneBuilder, table: Table) -> None:
    """Files with their paths and contents."""
    for row in table:
        scene_builder.write(PATH_COLUMN.read(row), file_of(CONTENT.text(row)))


@given("files of these sizes", SIZES)
def files_of_these_sizes(scene_builder: SceneBuilder, table: Table) -> None:
    """Files of exactly this many bytes, the imports in their first lines included."""
    for row in table:
        imports = "".join(f"@{path}\n" for path in IMPORTS.of(row, ()))
        filling = SIZE.read(row) - len(imports)
        if filling < 0:
            raise PhraseError(f"{PATH_COLUMN.read(row)}: {SIZE.text(row)} bytes do not hold its imports")
        scene_builder.write(PATH_COLUMN.read(row), File(text=imports + "." * filling))


@given('an import chain from "{path}" that reaches level {level:d}')
def import_chain(scene_builder: SceneBuilder, path: str, level: int) -> None:
    """A configured file level0.md and the files level1.md, level2.md and so on, each imported by the file before."""
    folder = posixpath.dirname(path)
    scene_builder.configure(path)
    for n in range(level + 1):
        text = f"Level {n}, then @level{n + 1}.md" if n < level else f"Level {n}"
        scene_builder.write(f"{folder}/level{n}.md", File(text=text))


FILE.given(
    'reading "{path}" fails with {fault}',
    "Every read of the file fails with the error.",
    holds={"fault": FAULTS},
    fault=hole("fault"),
)
FILE.given(
    'reading "{path}" returns neither content nor an error',
    "Every read of the file succeeds without content. Needs the capability nil-values.",
    nothing=True,
)
FILE.given(
    'reading "{path}" waits until run {run:d} starts',
    "Every read of the file waits until the run begins.",
    held=Began(run="{run}"),
)


@given('reading "{path}" succeeds from {moment} on', moment=MOMENT)
def reading_succeeds(scene_builder: SceneBuilder, path: str, moment: str) -> None:
    """Reads of the file succeed from the moment on."""
    change = Change(at=MOMENT.read(moment), path=path, file=replace(scene_builder.file(path), fault=None))
    scene_builder.scene = replace(scene_builder.scene, changes=(*scene_builder.scene.changes, change))


SCENE.given(
    '"{path}" contains "{content}" from {moment} on',
    "The content of the file changes at the moment; a missing file is created.",
    holds={"moment": MOMENT},
    changes=Added(Change(at=hole("moment"), path="{path}", file=CONTENT_OF_FILE)),
)
SCENE.given(
    'the language is "{language}" from {moment} on',
    "The language is chosen at the moment.",
    holds={"moment": MOMENT},
    changes=Added(Change(at=hole("moment"), language="{language}")),
)

# -- the configuration -------------------------------------------------------------------------------------------------


SCENE.given("no configuration", "The handler is created without a configuration object.", instructions=None)
CONFIG.given("no list of files", "The configuration has no list of files.", files=None)
CONFIG.given(
    "the configured files {paths}",
    "The list of files in the configuration, in order. The files need not exist.",
    files=hole("paths"),
    one='the configured file "{paths}"',
)
CONFIG.given("an empty list of files", "The list of files in the configuration is empty.", files=())
CONFIG.given("no backend", "The configuration has no backend.", backend=False)
CONFIG.given("no warning callback", "The configuration has no callback for warnings.", callback=False)
CONFIG.given("a byte limit of {limit:d}", "The byte limit in the configuration.", max_bytes=hole("limit"))
SCENE.given(
    "the log is captured",
    "The harness reads the log that receives warnings by default. Needs the capability default-warning-sink.",
    reads_log=True,
)
SCENE.given(
    'the language is "{language}"',
    "The language is chosen before the handler is created.",
    languages=Added("{language}"),
)
SCENE.given(
    'the language is then changed to "{language}"',
    "A second language is chosen right after the first.",
    languages=Added("{language}"),
)
