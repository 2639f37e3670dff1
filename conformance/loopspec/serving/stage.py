"""A Stage at the far end of the pipe: the environment and the outcomes of one case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..contract.doubles import Inner
from ..contract.observation import Registered, Section
from ..contract.plugins import StrategyMeta
from ..contract.roles import Role
from ..contract.scene import ReadRequest, Scene
from ..contract.values import Error
from ..protocol import messages as m
from ..protocol.conversion import failed_read
from .doubles import RemoteDoubles
from .middlewares import RemoteMiddlewares
from .recovery import RemoteRecovery
from .requests import CaseRequests
from .runs import RemoteRuns


class RemoteEnvironment:
    """Files, warnings and the log. The contract's `Environment`."""

    def __init__(self, requests: CaseRequests) -> None:
        self._requests = requests

    def _params(self, request: ReadRequest) -> m.ReadFile:
        where = self._requests.where()
        return m.ReadFile(**where, path=request.file_path, offset=request.offset, limit=request.limit)

    async def read(self, request: ReadRequest) -> str | bytes | None:
        """Read a file of the scene."""
        return _content(await self._requests.ask("files/read", self._params(request), m.FileReply))

    def read_now(self, request: ReadRequest) -> str | bytes | None:
        """Read without awaiting: where the scene holds the read, the whole process waits."""
        return _content(self._requests.ask_now("files/read", self._params(request), m.FileReply))

    def warn(self, path: str, message: str = "") -> None:
        """Report a warning about a path."""
        self._requests.notify("warning", m.Warn(**self._requests.where(), path=path, message=message))

    def log(self, line: str) -> None:
        """Report a line of the default log."""
        self._requests.notify("log", m.LogLine(**self._requests.where(), line=line))


def _content(reply: m.FileReply) -> str | bytes | None:
    if reply.error is not None:
        raise failed_read(reply)
    if reply.nothing:
        return None
    return reply.base64 if reply.base64 is not None else reply.text or ""


class RemoteOutcomes:
    """The outcomes that belong to no run, kept for an answer. The contract's `Outcomes`."""

    def __init__(self, requests: CaseRequests) -> None:
        self._requests = requests
        self.error: Error | None = None
        self.sections: tuple[Section, ...] = ()
        self.text: str | None = None
        self.listed: list[Registered] = []
        self.lookups: list[Registered] = []

    def build_failed(self, error: BaseException) -> None:
        """Keep the error that building the implementation failed with."""
        self.error = self._requests.described(error)

    def loaded(self, sections: Iterable[Section] = (), text: str | None = None) -> None:
        """Keep the outcome of a load."""
        self.sections, self.text = tuple(sections), text

    def load_failed(self, error: BaseException) -> None:
        """Keep the error that ended a load."""
        self.build_failed(error)

    def registered(self, provider: str, meta: StrategyMeta) -> None:
        """Keep a strategy that the registry lists."""
        self.listed.append(Registered(provider=provider, meta=meta))

    def looked_up(self, provider: str, meta: StrategyMeta) -> None:
        """Keep what the registry returned for a provider."""
        self.lookups.append(Registered(provider=provider, meta=meta))

    def look_up_failed(self, provider: str, error: BaseException) -> None:
        """Keep the error that the registry raised for a provider."""
        self.lookups.append(Registered(provider=provider, error=self._requests.described(error)))


class RemoteStage:
    """One scene, as far as an adapter sees it. The contract's `Stage`."""

    def __init__(
        self,
        scene: Scene,
        role: Role,
        requests: CaseRequests,
        answer: Callable[[str | int | None, m.RunEnded], None],
        keys: Mapping[int, str],
        outside: Callable[[Inner], None] | None = None,
    ) -> None:
        self.scene = scene
        self.role = role
        self.environment = RemoteEnvironment(requests)
        self.doubles = RemoteDoubles(requests, outside)
        self.middlewares = RemoteMiddlewares(requests, self.doubles, keys)
        self.recovery = RemoteRecovery(requests)
        self.runs = RemoteRuns(requests, answer)
        self.outcomes = RemoteOutcomes(requests)
