"""Given: the files of the world, and how reading them goes."""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from loopspec.contract.scene import Change, Fault, FaultKind, File
from loopspec.contract.values import Began, Called, Gate

from ..builders.scene import SceneBuilder
from ..cells import file_of, names
from ..phrasebook import PhraseError, Table, given

AGENTS_MD = "/project/agents.md"

_FAULTS: dict[str, Fault] = {
    "a missing-file error": Fault(kind="not_exist"),
    "a missing-file error inside another error": Fault(kind="not_exist", wrapped=True),
    "a permission error": Fault(kind="permission"),
    "an I/O error": Fault(kind="io"),
    'an I/O error that says "file not found"': Fault(kind="io", message="file not found"),
    "a directory error": Fault(kind="directory"),
    "a not-a-directory error": Fault(kind="not_a_directory"),
    "a cancellation": Fault(kind="cancelled"),
}


def error_kind(words: str) -> FaultKind:
    """The kind of an error, from its words."""
    if words not in _FAULTS:
        raise PhraseError(f"{words!r} is no error known to the phrasebook: use one of {', '.join(_FAULTS)}")
    return _FAULTS[words].kind


@given('the file "{path}"')
def file_with_text(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A file, with the text below as its content."""
    scene_builder.write(path, File(text=docstring))


@given('the file "{path}" holding "{content}"')
def file_holding(scene_builder: SceneBuilder, path: str, content: str) -> None:
    r"""A file. In its content, \n \r \t \uXXXX stand for characters and \xXX for bytes."""
    scene_builder.write(path, file_of(content))


@given('the instructions file "{path}"')
def instructions_file(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A configured file, with the text below as its content."""
    scene_builder.configure(path)
    scene_builder.write(path, File(text=docstring))


@given('the instructions file "{path}" holding "{content}"')
def instructions_file_holding(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A configured file with this content."""
    scene_builder.configure(path)
    scene_builder.write(path, file_of(content))


@given('an instructions file that says "{content}"')
def instructions_file_that_says(scene_builder: SceneBuilder, content: str) -> None:
    """The configured file "/project/agents.md" with this content."""
    scene_builder.configure(AGENTS_MD)
    scene_builder.write(AGENTS_MD, file_of(content))


@given("the files")
def files(scene_builder: SceneBuilder, table: Table) -> None:
    """Files, by path and content."""
    for row in table:
        scene_builder.write(row["path"], file_of(row["content"]))


@given("files of these sizes")
def files_of_sizes(scene_builder: SceneBuilder, table: Table) -> None:
    """Files of exactly so many bytes, the imports they begin with included."""
    for row in table:
        imports = "".join(f"@{path}\n" for path in names(row.get("imports") or "nothing"))
        filling = int(row["bytes"]) - len(imports)
        if filling < 0:
            raise PhraseError(f"{row['path']}: {row['bytes']} bytes do not hold its imports")
        scene_builder.write(row["path"], File(text=imports + "." * filling))


@given('an import chain from "{path}" that reaches level {level:d}')
def import_chain(scene_builder: SceneBuilder, path: str, level: int) -> None:
    """A configured file level0.md, and beside it level1.md, level2.md and so on, each imported by the one before."""
    folder = posixpath.dirname(path)
    scene_builder.configure(path)
    for n in range(level + 1):
        text = f"Level {n}, then @level{n + 1}.md" if n < level else f"Level {n}"
        scene_builder.write(f"{folder}/level{n}.md", File(text=text))


@given('reading "{path}" fails with {fault}')
def reading_fails(scene_builder: SceneBuilder, path: str, fault: str) -> None:
    """Every read of the file fails."""
    error_kind(fault)
    scene_builder.files[path] = replace(scene_builder.about(path), fault=_FAULTS[fault])


@given('reading "{path}" gives no content object')
def reading_gives_nothing(scene_builder: SceneBuilder, path: str) -> None:
    """Reads of the file succeed without content. Needs the capability nil-values."""
    scene_builder.files[path] = replace(scene_builder.about(path), nothing=True)


@given('reading "{path}" waits until run {run:d} begins')
def reading_waits_for_run(scene_builder: SceneBuilder, path: str, run: int) -> None:
    """Reads of the file are held until then."""
    scene_builder.files[path] = replace(scene_builder.about(path), held=Began(run=str(run)))


@given('reading "{path}" works from {moment} on')
def reading_works_from(scene_builder: SceneBuilder, path: str, moment: str) -> None:
    """The file can be read from then on."""
    scene_builder.change(moment_of(moment), path, replace(scene_builder.about(path), fault=None))


@given('"{path}" holds "{content}" from {moment} on')
def holds_from(scene_builder: SceneBuilder, path: str, content: str, moment: str) -> None:
    """The file is edited, or appears."""
    scene_builder.change(moment_of(moment), path, file_of(content))


@given('the language is "{language}" from {moment} on')
def language_from(scene_builder: SceneBuilder, language: str, moment: str) -> None:
    """The language is chosen then."""
    scene_builder.changes.append(Change(at=moment_of(moment), language=language))


def moment_of(words: str) -> Gate:
    """`run 2`: when it begins. `model call 1`: when the model has been called."""
    what, _, number = words.rpartition(" ")
    if what == "run":
        return Began(run=number)
    if what == "model call":
        return Called(double="model model", times=int(number))
    raise PhraseError(f"{words!r} is no moment: say `run 2` or `model call 1`")
