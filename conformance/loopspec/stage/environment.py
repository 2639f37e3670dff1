"""The environment double: files, languages, warnings, the log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..contract.observation import Read, Warned
from ..contract.scene import Change, ReadRequest, Scene
from ..contract.sync import at_once
from .files import Files, content_of
from .record import Record, current_context, current_run


class LiveEnvironment:
    """Serves the scene's files as they are at the moment, and changes them as the scene says."""

    def __init__(self, scene: Scene, record: Record) -> None:
        self._scene = scene
        self._record = record
        self._files = Files(scene)
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
        self._files.apply(change)
        if change.language is not None:
            self._choose(change.language)

    async def read(self, request: ReadRequest) -> str | bytes | None:
        """Read a file of the scene."""
        record, path, run = self._record, request.file_path, current_run.get()
        record.gates.called(f"read {path}", run)
        record.gates.settle()
        file = self._files.get(path)
        if file and file.held:
            await record.gates.wait(file.held, record.new_waiter)
        found = self._files.find(path)
        record.gates.returned(f"read {path}", run)
        record.add(
            Read(
                n=record.n,
                path=path,
                offset=request.offset,
                limit=request.limit,
                run=run,
                context=dict(current_context.get({})),
                content=content_of(found.data),
                error=record.describe(found.error) if found.error else None,
            )
        )
        if found.error:
            raise found.error
        return found.data

    def read_now(self, request: ReadRequest) -> str | bytes | None:
        """Read without awaiting."""
        return at_once(self.read(request))

    def warn(self, path: str, message: str = "") -> None:
        """Record a warning about a path."""
        record = self._record
        record.add(Warned(n=record.n, path=path, message=message, run=current_run.get()))

    def log(self, line: str) -> None:
        """Record a line of the default log."""
        self._record.log.append(line)

    def choose_languages(self, set_language: Callable[[str], None]) -> None:
        """Choose the scene's languages, now and later."""
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
