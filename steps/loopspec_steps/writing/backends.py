"""Calls of a backend as Given and When steps, and the reads as Then steps."""

from __future__ import annotations

from collections.abc import Iterator

from loopspec.contract.observation import Observation
from loopspec.contract.scene import Ask, BackendStep, Break, Close, Delete, FailStore, File, Link, Scene, Write

from ..when.backend import FAILURES
from ..when.backend_calls import (
    CALL,
    CLOSE,
    CONTENT,
    COUNT,
    DELETE,
    FAULTS,
    FIRST,
    LINK,
    PATH_COLUMN,
    READ,
    TARGET,
    WRITE,
)
from .steps import NotWritable, Rows, WrittenStep
from .texts import as_content, plain, quoted

_LONG = 200  # bytes of a content: a longer one is in no step


def backend_steps(scene: Scene) -> Iterator[WrittenStep]:
    """The stored files, and the calls of the backend as one table. Raises `NotWritable` for concurrent calls."""
    for path, file in scene.files.items():
        field = f"files[{path!r}]"
        yield WrittenStep("given", f'the stored file "{quoted(path, field)}" containing "{_content(file, field)}"')
    rows = [_row(step, f"backend[{at}]") for at, step in enumerate(scene.backend)]
    used = [column.name for column in (CALL, PATH_COLUMN, CONTENT, TARGET, FIRST, COUNT)]
    used = [name for name in used if any(name in row for row in rows)]
    table: Rows = (tuple(used), *(tuple(row.get(name, "") for name in used) for row in rows))
    yield WrittenStep("when", "calls of the backend are made in order", table)


def _content(file: File, field: str) -> str:
    if file.repeat != 1 or len(file.content) > _LONG:
        raise NotWritable(field, "a long content is not written")
    return as_content(file.content)


def _row(step: BackendStep, field: str) -> dict[str, str]:
    """The cells of a call by their columns."""
    match step:
        case Ask(requests=(request,)):
            row = {CALL.name: READ, PATH_COLUMN.name: plain(request.file_path, field)}
            if request.offset != 1:
                row[FIRST.name] = str(request.offset)
            return row | ({COUNT.name: str(request.limit)} if request.limit else {})
        case Write():
            content = _content(step.file, field)
            return {CALL.name: WRITE, PATH_COLUMN.name: plain(step.path, field), CONTENT.name: content}
        case Delete():
            return {CALL.name: DELETE, PATH_COLUMN.name: plain(step.path, field)}
        case Link():
            target = plain(step.target, field)
            return {CALL.name: LINK, PATH_COLUMN.name: plain(step.path, field), TARGET.name: target}
        case Break():
            return {CALL.name: FAULTS[step.kind], PATH_COLUMN.name: plain(step.path, field)}
        case FailStore():
            return {CALL.name: FAILURES.text_of(step.kind)}
        case Close():
            return {CALL.name: CLOSE}
    raise NotWritable(field, "no row says this step")


def backend_thens(seen: Observation) -> Iterator[WrittenStep]:
    """The Thens about the reads, each by its number."""
    for number, answer in enumerate(seen.answers, 1):
        if answer.error is None:
            data = answer.content.data if answer.content else b""
            if len(data) <= _LONG:
                yield WrittenStep("then", f'read {number} returns "{as_content(data)}"')
        elif answer.error.kind == "not_exist":
            yield WrittenStep("then", f"read {number} fails with a missing-file error")
        else:
            yield WrittenStep("then", f"read {number} fails, but not with a missing-file error")
