"""Files that a server has: SFTP, WebDAV and HTTP."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import fsspec  # type: ignore[import-untyped]  # has no type information
import sshfs
from aiohttp import BasicAuth
from fsspec.asyn import sync  # type: ignore[import-untyped]  # has no type information
from webdav4.fsspec import WebdavFileSystem

from loopspec import Capability

from . import servers
from .adapter import InFolder, store
from .programs import USER, status_file

SERVED: tuple[Capability, ...] = (
    *("deletes", "directories", "edits"),
    *("fault-container", "fault-gone", "fault-timeout"),
)


class Served(InFolder):
    """A store over a folder of a server. The files are written on the server's disk."""

    server: servers.Server

    def base(self) -> Path:
        """A folder of its own in the folder of the server."""
        base = self.server.folder / uuid4().hex
        self.exit.callback(shutil.rmtree, base, ignore_errors=True)
        return base

    def fail(self, kind: str) -> None:
        """Fail the server, or remove the folder."""
        if kind == "container":
            super().fail(kind)
        else:
            self.server.fail(kind)


class Sftp(Served):
    """A store that sshfs reads, with one connection."""

    def connect(self, root: Path | str, **account: object) -> None:
        """Connect; the server's key is not known."""
        options = {"port": self.server.port, "known_hosts": None, "skip_instance_cache": True}
        self._fs = sshfs.SSHFileSystem("127.0.0.1", **options, **account)
        self._root = root
        self.exit.callback(self._disconnect)

    def _disconnect(self) -> None:
        """Disconnect here: sshfs disconnects in a finalizer, which may run in the event loop of another thread."""

        async def end() -> None:
            await self._fs._pool.close()
            await self._fs._stack.aclose()

        with suppress(OSError):  # the server may be gone, or may not answer
            sync(self._fs.loop, end, timeout=1)

    def get(self, path: str) -> bytes:
        """The content of a file."""
        content: bytes = self._fs.cat_file(f"{self._root}/{path}", timeout=1)
        return content


@store("SFTP (asyncssh), by sshfs", "sshfs", "confined", "links", "fault-io", "fault-outside", *SERVED)
class SshfsAsyncssh(Sftp):
    """sshfs with an SFTP server of asyncssh, whose root is a folder."""

    def mount(self) -> None:
        """Connect with a password."""
        self.server = servers.sftp()
        super().mount()
        root = "/" + self.root.relative_to(self.server.folder).as_posix()
        self.connect(root, username=USER, password=self.server.password)


@store("SFTP (OpenSSH), by sshfs", "sshfs", "links", "fault-io", "fault-outside", *SERVED)
class SshfsOpenssh(Sftp):
    """sshfs with OpenSSH's server."""

    def mount(self) -> None:
        """Connect with a key."""
        self.server = servers.openssh()
        super().mount()
        self.connect(self.root, client_keys=[str(servers.key(self.server))])


@store("WebDAV (WsgiDAV), by webdav4", "webdav4", "confined", "fault-refused", *SERVED)
class Webdav4(Served):
    """webdav4 with WsgiDAV."""

    def mount(self) -> None:
        """Connect with a password, and a time limit of one second."""
        self.server = servers.webdav()
        super().mount()
        address = f"http://127.0.0.1:{self.server.port}/{self.root.relative_to(self.server.folder).as_posix()}"
        self._fs = WebdavFileSystem(address, auth=(USER, self.server.password), timeout=1, skip_instance_cache=True)

    def get(self, path: str) -> bytes:
        """The content of a file."""
        content: bytes = self._fs.cat_file(path)
        return content


@store("HTTP, by fsspec", "fsspec", "fault-io", "fault-permission", "fault-refused", *SERVED)
class FsspecHttp(Served):
    """fsspec's filesystem over HTTP, with the standard library's server."""

    def mount(self) -> None:
        """Connect with a password."""
        self.server = servers.http()
        super().mount()
        self._address = f"http://127.0.0.1:{self.server.port}/{self.root.relative_to(self.server.folder).as_posix()}"
        account = {"auth": BasicAuth(USER, self.server.password)}
        self._fs = fsspec.filesystem("http", client_kwargs=account, skip_instance_cache=True)

    def get(self, path: str) -> bytes:
        """The content at an address."""
        content: bytes = self._fs.cat_file(f"{self._address}/{quote(path)}", timeout=1)
        return content

    def fault(self, path: str, kind: str) -> None:
        """Let the server answer with the status 403, or 500."""
        status_file(self.root / path).write_text("403" if kind == "permission" else "500")
