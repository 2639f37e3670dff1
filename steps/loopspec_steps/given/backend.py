"""Given: what the backend under test has stored."""

from __future__ import annotations

from loopspec.contract.scene import Break, File
from loopspec.contract.specification import example_project

from ..builders.scene import SceneBuilder
from ..cells import file_of
from ..phrasebook import given


@given('the stored file "{path}" holding "{content}"')
def stored_file(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A file the backend under test is opened with."""
    scene_builder.stored[path] = file_of(content)


@given('the stored file "{path}" of {size:d} bytes')
def stored_file_of_size(scene_builder: SceneBuilder, path: str, size: int) -> None:
    """A file of so many bytes, a multiple of ten."""
    scene_builder.stored[path] = File(text="123456789\n", repeat=size // 10)


@given('the stored files "0.md" to "9.md", each of {size:d} bytes of its own')
def ten_stored_files(scene_builder: SceneBuilder, size: int) -> None:
    """Ten files, each of one character only, another for each."""
    scene_builder.stored |= {f"{n}.md": File(text=str(n), repeat=size) for n in range(10)}


@given("the stored example project")
def stored_example_project(scene_builder: SceneBuilder) -> None:
    """The project in the folder "example" beside the features."""
    scene_builder.stored |= {path: File(text=content.decode()) for path, content in example_project().items()}


@given('the backend may not read "{path}"')
def backend_may_not_read(scene_builder: SceneBuilder, path: str) -> None:
    """The store forbids the file. Needs the capability fault-permission."""
    scene_builder.backend.append(Break(path=path, kind="permission"))


@given('the backend cannot read "{path}"')
def backend_cannot_read(scene_builder: SceneBuilder, path: str) -> None:
    """The store fails on the file. Needs the capability fault-io."""
    scene_builder.backend.append(Break(path=path, kind="io"))
