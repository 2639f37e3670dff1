"""Generated loads of instruction files."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Turn
from loopspec.contract.scene import Fault, File, Scene

from .doubles import HELLO
from .trees import PATHS, file_trees, limits

_FAULTS = st.sampled_from(
    [
        Fault(kind="not_exist"),
        Fault(kind="not_exist", wrapped=True),
        Fault(kind="permission"),
        Fault(kind="io"),
        Fault(kind="directory"),
    ]
)


@st.composite
def load_scenes(draw: st.DrawFn, nothing: bool) -> Scene:
    """A load of files that import each other, maybe with faults and a byte limit.

    `nothing`: reading a file may return no content object.
    """
    tree = draw(file_trees())
    files = {path: _file("" if content is None and not nothing else content) for path, content in tree.files.items()}
    if draw(st.booleans()):
        faults = draw(st.dictionaries(st.sampled_from(PATHS), _FAULTS, max_size=2))
        files |= {path: replace(files.get(path, File()), fault=fault) for path, fault in faults.items()}
    limit = (
        draw(limits([len(_file(content).content) for content in tree.files.values()])) if draw(st.booleans()) else None
    )
    configured = tuple(path for path in dict.fromkeys(tree.configured) if path)  # a list in a step has no empty path
    config = Config(files=configured, max_bytes=limit)
    agent = Agent(model=Model(turns=(Turn(text="done"),)), handlers=(AgentsMD(config=config),))
    return Scene(act="load", files=files, instructions=config, messages=(HELLO,), agent=agent)


def _file(content: str | bytes | None) -> File:
    if content is None:
        return File(nothing=True)
    data = content.encode() if isinstance(content, str) else content
    try:
        return File(text=data.decode())
    except UnicodeDecodeError:
        return File(base64=data)
