"""The environment double: files as they are at the moment, languages, warnings, the log."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from ..contract.doubles import at_once
from ..contract.errors import NUMBERS, inside_others
from ..contract.observation import Read, Warned
from ..contract.scene import Change, Fault, File, ReadForm, ReadRequest, Scene
from ..contract.values import FileData
from .record import Record, current_run


class LiveEnvironment:
    """Serves the scene's files as they are at the moment, and changes them as the scene says."""

    def __init__(self, scene: Scene, record: Record) -> None:
        self._scene = scene
        self._record = record
        self._files = dict(scene.files)
        self._set_language: Callable[[str], None] | None = None
        self._due = list(scene.changes)
        for change in scene.changes:
            record.gates.when(change.at, partial(self._change, change))

    @property
    def missed(self) -> tuple[str, ...]:
        """The planned changes that were never made."""
        return tuple(
            f"the change of {change.path or 'the language'} was planned for when {change.at}, and was never made"
            for change in self._due
        )

    def _change(self, change: Change) -> None:
        self._due.remove(change)
        if change.path is not None and change.file is not None:
            self._files[change.path] = change.file
        elif change.path is not None:
            self._files.pop(change.path, None)
        if change.language is not None:
            self._choose(change.language)

    async def read(self, request: ReadRequest) -> str | bytes | None:
        record, path, run = self._record, request.file_path, current_run.get()
        record.gates.called(f"read {path}", run)
        record.gates.settle()
        file = self._files.get(path)
        if file and file.held:
            await record.gates.wait(file.held, record.new_waiter)
        data, error = None, None
        try:
            data = read_file(self._files.get(path), path, self._scene.read_as)
        except Exception as raised:
            error = raised
        record.gates.returned(f"read {path}", run)
        record.enter(
            Read,
            path=path,
            offset=request.offset,
            limit=request.limit,
            content=content_of(data),
            error=record.describe(error) if error else None,
        )
        if error:
            raise error
        return data

    def read_now(self, request: ReadRequest) -> str | bytes | None:
        return at_once(self.read(request))

    def warn(self, path: str, message: str = "") -> None:
        self._record.enter(Warned, path=path, message=message)

    def log(self, line: str) -> None:
        self._record.log.append(line)

    def choose_languages(self, set_language: Callable[[str], None]) -> None:
        self._set_language = set_language
        for language in self._scene.languages:
            self._choose(language)

    def _choose(self, language: str) -> None:
        if self._set_language is None:
            raise RuntimeError("the target declares language-zh but has given no set_language")
        try:
            self._set_language(language)
        except Exception:
            self._record.languages.append(language)


_LONG = 100_000  # bytes


def content_of(data: str | bytes | None) -> FileData | None:
    """Content as the record holds it: text where it is UTF-8, unless it is too long to be read by a person."""
    if data is None:
        return None
    if isinstance(data, str):
        return FileData(text=data) if len(data) <= _LONG else FileData(base64=data.encode("utf-8", "surrogatepass"))
    if len(data) > _LONG:
        return FileData(base64=data)
    try:
        return FileData(text=data.decode())
    except UnicodeDecodeError:
        return FileData(base64=data)


def as_read(data: bytes, form: ReadForm | None = None) -> str | bytes:
    """Content in the form in which a backend returns the content: see `Environment.read`, and `Scene.read_as`.

    The form depends on the content alone, so that it is the same in every process, and in every order of reads.
    """
    if form == "bytes" or (form is None and len(data) % 2):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def read_file(file: File | None, path: str, form: ReadForm | None) -> str | bytes | None:
    """What a read of a file returns: None without a content object. Raises the error of a fault or a missing file."""
    if file is None:
        raise FileNotFoundError(f"no such file: {path!r}")  # without a number, as many backends raise the error
    if file.fault:
        raise fault_error(file.fault, path, file.content)
    return None if file.nothing else as_read(file.content, form)


def fault_error(fault: Fault, path: str, content: bytes) -> Exception:
    """The exception that a fault stands for. Content that the file has anyway is its attribute `content`."""
    number = NUMBERS[fault.kind]
    error: Exception = OSError(number, fault.message or os.strerror(number), path)  # of the subclass for the number
    if fault.wrapped:
        error = inside_others(error, f"the backend could not read {path!r}")
    if content:
        vars(error)["content"] = content  # a backend that fails and returns content at once (AMD-BACKEND-07)
    return error
