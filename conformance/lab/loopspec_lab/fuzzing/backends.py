"""Generated calls of a backend in order, and what of the reads is compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.capabilities import Capability
from loopspec.contract.scene import (
    Ask,
    BackendStep,
    Break,
    Close,
    Delete,
    FailStore,
    File,
    Link,
    ReadRequest,
    Scene,
    StoreFailure,
    StoreFault,
    Write,
)

_NAMES = ("a.md", "b.md", "docs/a.md", "docs/a.md.bak")
_LINKS = ("link.md", "docs/link.md")
_MISSING = ("missing.md", "docs/missing.md")
_FAULTS: Mapping[Capability, StoreFault] = {
    "fault-permission": "permission",
    "fault-io": "io",
    "fault-outside": "outside",
}
_FAILURES: Mapping[Capability, StoreFailure] = {
    "fault-gone": "gone",
    "fault-timeout": "timeout",
    "fault-refused": "refused",
    "fault-container": "container",
}
SIMPLE = (File(text="one"), File(text="two"))  # of the same size, since caches compare sizes
_CONTENTS = st.sampled_from(
    [
        *(SIMPLE * 3),
        File(text=""),
        File(text="one\n"),
        File(text="one\ntwo\nthree\n"),
        File(text="one\r\n\r\ntwo"),
        File(text=" one "),
        File(text="\ufeffone"),
        File(text="caf\u00e9"),
        File(text="7"),
        File(base64=b"one\xfftwo"),
    ]
)

_MOST_FILES = 3
_MOST_CALLS = 12


_FILES = st.dictionaries(st.sampled_from(_NAMES), _CONTENTS, max_size=_MOST_FILES)


def backend_scenes(shared: frozenset[Capability]) -> st.SearchStrategy[Scene]:
    """A backend with up to three files, and calls that the capabilities of both targets allow."""
    calls = st.lists(_steps(shared), min_size=1, max_size=_MOST_CALLS)
    return st.builds(_scene, _FILES, calls, st.booleans())


def _scene(files: dict[str, File], steps: list[BackendStep], reads_first: bool) -> Scene:
    """The scene with those of the steps that are in order. At the end, and maybe first, each file is read."""
    scene = Scene(act="read", files=files, backend=_reads(files) if reads_first else ())
    for step in steps:
        longer = replace(scene, backend=(*scene.backend, step))
        scene = longer if is_in_order(longer) else scene
    written = [step.path for step in scene.backend if isinstance(step, Write)]
    return replace(scene, backend=(*scene.backend, *_reads([*files, *written] or _NAMES[:1])))


def _reads(paths: Iterable[str]) -> tuple[BackendStep, ...]:
    return tuple(Ask(requests=(ReadRequest(file_path=path),)) for path in dict.fromkeys(paths))


def _steps(shared: frozenset[Capability]) -> st.SearchStrategy[BackendStep]:
    """Any call, mostly a read or a write."""
    names = st.sampled_from(_NAMES)
    paths = st.sampled_from([*_NAMES, *_NAMES, *_MISSING, *(_LINKS if "links" in shared else ())])
    whole = st.builds(ReadRequest, paths)
    ranges = st.builds(ReadRequest, paths, st.integers(1, 4), st.integers(0, 3))
    requests = st.one_of(whole, whole, ranges) if "line-ranges" in shared else whole
    reads: st.SearchStrategy[BackendStep] = st.builds(lambda request: Ask(requests=(request,)), requests)
    writes: list[st.SearchStrategy[BackendStep]] = [st.builds(Write, names, _CONTENTS)] if "edits" in shared else []
    others: list[st.SearchStrategy[BackendStep]] = [st.builds(Delete, names)] if "deletes" in shared else []
    if faults := [kind for name, kind in _FAULTS.items() if name in shared]:
        others.append(st.builds(Break, names, st.sampled_from(faults)))
    if failures := [kind for name, kind in _FAILURES.items() if name in shared]:
        others.append(st.builds(FailStore, st.sampled_from(failures)))
    if "links" in shared:
        others.append(st.builds(Link, st.sampled_from(_LINKS), names))
    if "closes" in shared:
        others.append(st.just(Close()))
    return st.one_of(reads, reads, reads, *writes, *writes, *others)


def is_in_order(scene: Scene) -> bool:
    """Whether the rules say what each read returns.

    A file is broken once, if no link leads to the file, and is not written afterward. A link leads to a stored file
    that can be read, from a path without a file. A file is deleted if it can be read and no link leads to the file. A
    store that failed or is closed is only read.
    """
    state = _State(set(scene.files))
    for step in scene.backend:
        if not state.allows(step):
            return False
        state.take(step)
    return True


@dataclass
class _State:
    """What the calls so far leave: the stored files, those that are broken, the links, and whether the store ended."""

    stored: set[str]
    broken: set[str] = field(default_factory=set)
    links: dict[str, str] = field(default_factory=dict)
    ended: bool = False

    def allows(self, step: BackendStep) -> bool:
        """Whether the rules say what the store does after a step."""
        whole = self.stored - self.broken
        match step:
            case Ask():
                return True
            case Write(path=path):
                return not self.ended and path not in self.broken and path not in self.links
            case Delete(path=path) | Break(path=path):
                return not self.ended and path in whole and path not in self.links.values()
            case Link(path=path, target=target):
                return not self.ended and target in whole and path not in self.stored and path not in self.links
            case _:
                return not self.ended

    def take(self, step: BackendStep) -> None:
        """Follow a step."""
        match step:
            case Write(path=path):
                self.stored.add(path)
            case Delete(path=path):
                self.stored.remove(path)
            case Break(path=path):
                self.broken.add(path)
            case Link(path=path, target=target):
                self.links[path] = target
            case FailStore() | Close():
                self.ended = True


# -- smaller scenes ----------------------------------------------------------------------------------------------------


def less_of_backend(scene: Scene) -> Iterator[Scene]:
    """The scene with one call less, with one file less, and with a simpler content or request.

    A file that is written first becomes a stored file.
    """
    steps = scene.backend
    if steps and isinstance(first := steps[0], Write):
        yield replace(scene, files={**scene.files, first.path: first.file}, backend=steps[1:])
    for at in range(len(steps)):
        yield replace(scene, backend=steps[:at] + steps[at + 1 :])
    for path in scene.files:
        yield replace(scene, files={name: file for name, file in scene.files.items() if name != path})
    for path, file in scene.files.items():
        for simpler in _simpler(file):
            yield replace(scene, files={**scene.files, path: simpler})
    for at, step in enumerate(steps):
        for less in _less_of_step(step):
            yield replace(scene, backend=(*steps[:at], less, *steps[at + 1 :]))


def _simpler(file: File) -> Iterator[File]:
    """The simple contents that precede the content of a file."""
    yield from SIMPLE[: SIMPLE.index(file)] if file in SIMPLE else SIMPLE


def _less_of_step(step: BackendStep) -> Iterator[BackendStep]:
    match step:
        case Write():
            for simpler in _simpler(step.file):
                yield replace(step, file=simpler)
        case Ask(requests=(request,)) if request.offset != 1 or request.limit:
            yield Ask(requests=(ReadRequest(file_path=request.file_path),))
            if request.offset != 1 and request.limit:
                yield Ask(requests=(replace(request, offset=1),))
                yield Ask(requests=(replace(request, limit=0),))
