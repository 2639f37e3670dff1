"""The servers that are written in Python: `python programs.py NAME PORT FOLDER PASSWORD` serves the folder."""

from __future__ import annotations

import asyncio
import base64
import sys
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

USER = "loopspec"


def status_file(path: Path) -> Path:
    """The file with the status that the server answers with in place of the content of a file."""
    return path.parent / f".status-{sha256(path.name.encode()).hexdigest()}"


def http(port: int, folder: Path, password: str) -> None:
    """Serve the folder by the standard library, with a password. A status file makes another fail."""
    known = "Basic " + base64.b64encode(f"{USER}:{password}".encode()).decode()

    class Handler(SimpleHTTPRequestHandler):
        """A folder is forbidden, as most servers have it. The connection stays open, as with most servers."""

        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # the headers and the content are two packets

        def send_head(self):  # type: ignore[no-untyped-def]  # the return type of typeshed is private
            path = Path(self.translate_path(self.path))
            status = status_file(path)
            if self.headers["Authorization"] != known:
                self.send_error(HTTPStatus.UNAUTHORIZED)
            elif status.exists():
                self.send_error(int(status.read_text()))
            elif path.is_dir():
                self.send_error(HTTPStatus.FORBIDDEN)
            else:
                return super().send_head()
            return None

    ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder))).serve_forever()


def webdav(port: int, folder: Path, password: str) -> None:
    """Serve the folder by WsgiDAV on cheroot, with a password."""
    from cheroot.wsgi import Server
    from wsgidav.wsgidav_app import WsgiDAVApp

    config = {
        "provider_mapping": {"/": str(folder)},
        "simple_dc": {"user_mapping": {"*": {USER: {"password": password}}}},
        "http_authenticator": {"accept_digest": False},
        "logging": {"enable": False},
        "lock_storage": False,
        "property_manager": False,
    }
    Server(("127.0.0.1", port), WsgiDAVApp(config), numthreads=40).start()


def sftp(port: int, folder: Path, password: str) -> None:
    """Serve the folder as the root of asyncssh's SFTP server, with a password."""
    import asyncssh

    class Checking(asyncssh.SSHServer):
        """The password is the only credential."""

        def password_auth_supported(self) -> bool:
            return True

        def validate_password(self, username: str, given: str) -> bool:
            return (username, given) == (USER, password)

    async def serve() -> None:
        rooted = partial(asyncssh.SFTPServer, chroot=str(folder))
        host = asyncssh.generate_private_key("ssh-ed25519")
        options = {"server_host_keys": [host], "server_factory": Checking, "sftp_factory": rooted}
        await asyncssh.listen("127.0.0.1", port, **options)
        await asyncio.Event().wait()

    asyncio.run(serve())


if __name__ == "__main__":
    _, name, port, folder, password = sys.argv
    {"http": http, "webdav": webdav, "sftp": sftp}[name](int(port), Path(folder), password)
