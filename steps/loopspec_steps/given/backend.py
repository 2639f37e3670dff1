"""Given: the files that the backend under test stores."""

from __future__ import annotations

from loopspec.contract.scene import Break, File, Link
from loopspec.contract.specification import example_project

from ..builders.scene import SceneBuilder
from ..cells import as_text, file_of
from ..phrasebook import given
from ..settings import Added
from .parts import SCENE


@given('the stored file "{path}" containing "{content}"')
def stored_file(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A file that the backend under test is opened with."""
    scene_builder.put(path, file_of(content))


@given('the stored file "{path}" of {size:d} bytes')
def stored_file_of_size(scene_builder: SceneBuilder, path: str, size: int) -> None:
    """A stored file of this many bytes: lines of ten bytes, the last of which may be shorter."""
    line = "123456789\n"
    whole, rest = divmod(size, len(line))
    file = File(text=line, repeat=whole) if not rest else File(text=line * whole + line[:rest])
    scene_builder.put(path, file)


@given('a stored file named "{name}"')
def stored_file_named(scene_builder: SceneBuilder, name: str) -> None:
    """A stored file with content of its own. Escapes in the name stand for characters, as in a content."""
    number = len(scene_builder.scene.files) + 1
    scene_builder.put(as_text(name), File(text=f"The content of file {number}."))


@given('a stored file whose name is "{name}" {count:d} times')
def stored_file_with_long_name(scene_builder: SceneBuilder, name: str, count: int) -> None:
    """A stored file whose name repeats a text. The content has the length of the name."""
    path = as_text(name) * count
    scene_builder.put(path, File(text=f"The name has {len(path)} characters."))


@given('a stored file whose name is "{name}" {count:d} times, then "{end}"')
def stored_file_with_long_name_and_end(scene_builder: SceneBuilder, name: str, count: int, end: str) -> None:
    """A stored file whose name repeats a text and ends with another text, which is the content too."""
    scene_builder.put(as_text(name) * count + end, File(text=f"The name ends with {end}."))


SCENE.given(
    'the stored file "{path}" is a link to "{target}"',
    "The file is a link to a path inside the root of the backend. Needs the capability links.",
    backend=Added(Link(path="{path}", target="{target}")),
)


@given('the stored files "0.md" to "9.md", each of {size:d} bytes with different content')
def ten_stored_files(scene_builder: SceneBuilder, size: int) -> None:
    """Ten stored files, each of which repeats one character of its own."""
    for n in range(10):
        scene_builder.put(f"{n}.md", File(text=str(n), repeat=size))


@given("the stored example project")
def stored_example_project(scene_builder: SceneBuilder) -> None:
    """The files of the example project in the folder "example" of the features."""
    for path, content in example_project().items():
        scene_builder.put(path, File(text=content.decode()))


SCENE.given(
    'the backend has no permission to read "{path}"',
    "The store denies permission to read the file. Needs the capability fault-permission.",
    backend=Added(Break(path="{path}", kind="permission")),
)
SCENE.given(
    'the stored file "{path}" is a link to a file in a folder next to the root, whose name begins with the root\'s',
    "The file is replaced by a link that leaves the backend's root. Needs the capability fault-outside.",
    backend=Added(Break(path="{path}", kind="outside")),
)
SCENE.given(
    'the backend fails to read "{path}"',
    "The store fails to read the file. Needs the capability fault-io.",
    backend=Added(Break(path="{path}", kind="io")),
)
